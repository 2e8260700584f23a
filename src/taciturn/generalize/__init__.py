"""What may stand for a term: which generalizations are true and usual, and how they are written in English."""

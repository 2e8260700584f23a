"""What people keep to themselves beside their health, and what gives it away: matters and relations from open sources.

A *matter* is something that a person may want unsaid: a religion, a party, an origin, a conviction. A *relation* ties
an expression (a holiday, a newspaper, a building, an office) to a matter with P(matter | expression).
``python -m training.topics`` writes both; ``README.md`` in this folder tells how they are derived.
"""

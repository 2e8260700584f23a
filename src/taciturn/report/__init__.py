"""What people look at: terminal, HTML, plots."""

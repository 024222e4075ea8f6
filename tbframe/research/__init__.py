"""The research laboratory: compare, perturb and simulate tournaments, and show what comes out."""

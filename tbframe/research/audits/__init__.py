"""Audits: what colours and schedules did, and which result model fits games."""

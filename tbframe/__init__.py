"""tbframe: tournament tie-breaks for whole archives at once."""

"""Review: people decide, the guarantee stays live. A local web app, and the same as a service.

:mod:`~taciturn.review.session` holds a document under review, :mod:`~taciturn.review.store` keeps it over restarts,
:mod:`~taciturn.review.app` shows it; :mod:`~taciturn.service.api` is the service. Only the commands import the last
two."""

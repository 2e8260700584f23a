"""Review: people decide, the guarantee stays live. A local web app, and the same as a service.

:mod:`~tacit.review.session` holds a document under review, :mod:`~tacit.review.store` keeps it over restarts,
:mod:`~tacit.review.app` shows it; :mod:`~tacit.review.api` is the service. Only the commands import the last two.
"""

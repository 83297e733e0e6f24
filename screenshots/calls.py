"""What is typed in the picture of a gateway."""

CALLS = (
    '/call cap:mail:send {"to": "everyone"}',
    "/call cap:index:rebuild {}",
    '/call cap:report:build {"quarter": 3}',
    "/call cap:backup:run {}",
)
LAST = '/call cap:invoice:pay {"invoice": 118}'

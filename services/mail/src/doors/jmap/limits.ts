import type { JsonLimits } from '@stoa/kit/http/json.ts'

/** What the core capability promises (RFC 8620 §2). */
export const MAX_CALLS_IN_REQUEST = 16
export const MAX_OBJECTS_IN_GET = 500
export const MAX_OBJECTS_IN_SET = 500
export const MAX_SIZE_REQUEST = 10_000_000
export const MAX_CONCURRENT_REQUESTS = 4
export const MAX_CONCURRENT_UPLOAD = 4

/** JSON limits of a request of that size: 500 objects with as many members as a message has. */
export const REQUEST_JSON: JsonLimits = { maxDepth: 64, maxKeys: 100_000, maxItems: 200_000 }

/** Pieces that one uploaded blob is put together of (RFC 9404 §3). */
export const MAX_DATA_SOURCES = 64

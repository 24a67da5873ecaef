import { createMemory, type Memory } from '../fairness/fairness.ts'
import { type AccessCache, createAccessCache } from './access-cache.ts'
import { LARGE_BYTES } from './budget.ts'
import { createShownCache, type ShownCache } from './email/shown-cache.ts'
import { createLanes, type Lanes } from './lanes.ts'
import { MAX_CONCURRENT_REQUESTS, MAX_CONCURRENT_UPLOAD } from './limits.ts'
import type { JmapParts } from './method.ts'
import { createHub, type Hub } from './push/hub.ts'

export { findBlob, type JmapBlob } from './blobs.ts'
export { openConnection } from './push/connections.ts'
export type { Watch } from './push/hub.ts'

/** JMAP in a process: what its requests, uploads and open connections share. */
export type Jmap = {
  readonly parts: JmapParts
  readonly accesses: AccessCache
  readonly shown: ShownCache
  readonly requests: Lanes
  readonly uploads: Lanes
  /** Limits downloads, whose bytes are in memory until they are sent. */
  readonly downloads: Lanes
  /** For large answers of all mailboxes. */
  readonly memory: Memory
  readonly hub: Hub
  /** Ends each open stream. */
  readonly streams: Set<() => void>
  /** Ends all streams and notifies nobody any more: call it before the server waits for its connections. */
  stop(): void
}

/** Clients keep to the limit, but one request may end while the next is on its way. */
const WAITING = 16
/** Downloads that may wait: browsers request all images of a message at once. */
const IMAGES = 64
/** Large answers that are made at the same time, by all mailboxes and by one. */
const LARGE_ANSWERS = 4
const LARGE_ANSWERS_OF_ONE = 2

export const createJmap = (parts: JmapParts): Jmap => {
  const hub = createHub(parts)
  const accesses = createAccessCache(parts)
  const shown = createShownCache(parts.bus)
  const streams = new Set<() => void>()
  return {
    parts,
    accesses,
    shown,
    requests: createLanes({ limit: 'maxConcurrentRequests', parallel: MAX_CONCURRENT_REQUESTS, waiting: WAITING }),
    uploads: createLanes({ limit: 'maxConcurrentUpload', parallel: MAX_CONCURRENT_UPLOAD, waiting: WAITING }),
    downloads: createLanes({ limit: 'maxConcurrentRequests', parallel: MAX_CONCURRENT_REQUESTS, waiting: IMAGES }),
    memory: createMemory({ total: LARGE_ANSWERS * LARGE_BYTES, share: LARGE_ANSWERS_OF_ONE * LARGE_BYTES }),
    hub,
    streams,
    stop() {
      hub.close()
      accesses.close()
      shown.close()
      for (const end of [...streams]) end()
    },
  }
}

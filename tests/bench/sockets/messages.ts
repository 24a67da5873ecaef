/** What the bench asks its two processes, and what they report. */
export type Ask = 'memory' | 'publish' | 'expect'

export type Report =
  | { type: 'ready'; url: string }
  | { type: 'memory'; bytes: number; sockets: number }
  | { type: 'published' }
  | { type: 'open'; count: number; seconds: number }
  | { type: 'expecting' }
  /** When the first and the last client had the event, in milliseconds since the epoch. */
  | { type: 'received'; first: number; last: number }

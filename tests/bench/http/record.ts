import { createHash } from 'node:crypto'

/** What both servers know and answer. */
export const TOKEN = 'bench_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'

export const TOKENS: ReadonlyMap<string, { role: string }> = new Map(
  Array.from({ length: 1000 }, (_, at) => [hash(at === 500 ? TOKEN : `bench_${at}`), { role: 'reader' }]),
)

export function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export const RECORD = {
  id: '0197f6a0-1111-7aaa-8bbb-0123456789ab',
  slug: 'a-thing-to-measure',
  title: 'A thing to measure',
  status: 'published',
  version: 12,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  tags: ['one', 'two', 'three'],
  body: 'The quick brown fox jumps over the lazy dog. '.repeat(10),
}

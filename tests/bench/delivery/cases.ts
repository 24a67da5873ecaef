import { KEY } from './key.ts'
import { WORDS } from './text.ts'

export const requestOf = (path: string, accepted = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${KEY}\r\naccept: application/json\r\n${accepted && `accept-encoding: ${accepted}\r\n`}\r\n`

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Spread over the whole site. */
const slugs = range(0, 399).map((index) => `post-${1 + ((index * 7_919) % 10_000)}`)

type Case = {
  /** Many, so that no single row or answer is asked for again and again. Each round goes on where the one before ended. */
  paths: readonly string[]
  /** Milliseconds of CPU of the service and PostgreSQL together, for an answer that is not in memory. */
  goal: number
  /** Requests of one round. */
  total: number
}

/** Posts of 3 KB each. */
export const CASES: Readonly<Record<string, Case>> = {
  'by slug': {
    paths: slugs.map((slug) => `/content/post/${slug}?depth=0`),
    goal: 1.2,
    total: 400,
  },
  'by slug with references': {
    paths: slugs.map((slug) => `/content/post/${slug}?include=terms,author`),
    goal: 2.2,
    total: 400,
  },
  'list of 25': {
    paths: range(1, 40).map((page) => `/content/post?depth=0&page=${page}`),
    goal: 4,
    total: 120,
  },
  'list of 25 with references': {
    paths: range(1, 40).map((page) => `/content/post?include=terms,author&page=${page}`),
    goal: 9,
    total: 80,
  },
  'around page 200 by an indexed field': {
    paths: range(190, 209).map((page) => `/content/post?depth=0&sort=-price&page=${page}`),
    goal: 10,
    total: 20,
  },
  'filter by one term': {
    paths: range(0, 19).flatMap((term) =>
      range(1, 4).map((page) => `/content/post?depth=0&term=term-${term}&page=${page}`),
    ),
    goal: 6,
    total: 80,
  },
  // Each of them once: what was counted before is found in another way.
  'search that nobody asked before': {
    paths: WORDS.slice(0, 100).flatMap((word) =>
      range(10, 99).map((start) => `/content/post?depth=0&q=${word}%20${start}`),
    ),
    goal: 5,
    total: 60,
  },
}

/** From memory: so many times the CPU of bare node:http that sends the same bytes. */
export const CACHED_GOAL = 1.43

export const CACHED: Readonly<Record<string, { paths: readonly string[]; accepted: string }>> = {
  'by slug': { paths: CASES['by slug']?.paths ?? [], accepted: '' },
  'list of 25': { paths: CASES['list of 25']?.paths ?? [], accepted: '' },
  'list of 25 with references': { paths: CASES['list of 25 with references']?.paths ?? [], accepted: '' },
  'list of 25 with references, br': { paths: CASES['list of 25 with references']?.paths ?? [], accepted: 'br' },
}

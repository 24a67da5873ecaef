import type { Method } from '@stoa/kit/http/route.ts'

/** RFC 3986 §6.2.2.1 lets case matter; those who ask for these documents do not know. */
const anyCase = (text: string): string =>
  [...text].map((letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`).join('')

/** The Autodiscover documents as the router matches them. One pattern for both: it knows one for each place. */
export const AUTODISCOVER = `/:folder(^${anyCase('autodiscover')}$)/:document(^${anyCase('autodiscover')}\\.(?:${anyCase('xml')}|${anyCase('json')})$)`

/** The path of a route as somebody would write it. */
export const spelledPath = ({ method, path }: { method: Method; path: string }): string =>
  path.replace(AUTODISCOVER, `/autodiscover/autodiscover.${method === 'POST' ? 'xml' : 'json'}`)

import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * The stack of an error, with the lines of the sources in place of those of a bundle. Node could do the same for every error
 * that is made, and would hold the maps in memory for it; here they are read when an error is written down.
 */
export const stackOf = ({ stack }: Error): string | undefined => stack?.replaceAll(PLACE, placeInSources)

const PLACE = /(file:\/\/[^\s()]+\/dist\/[^\s()/]+\.js):(\d+):(\d+)/g

/** Cached, because the same errors recur. */
const known = new Map<string, string>()
const MAX_KNOWN = 1_000

const placeInSources = (place: string, url: string, line: string, column: string): string => {
  const found = known.get(place) ?? lookUp(url, Number(line), Number(column)) ?? place
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(place, found)
  return found
}

const lookUp = (url: string, line: number, column: number): string | undefined => {
  const file = `${fileURLToPath(url)}.map`
  if (!existsSync(file)) return undefined
  const payload: SourceMapPayload = JSON.parse(readFileSync(file, 'utf8'))
  const found = new SourceMap(payload).findEntry(line - 1, column - 1)
  return 'originalSource' in found ? `${new URL(found.originalSource, url)}:${found.originalLine + 1}` : undefined
}

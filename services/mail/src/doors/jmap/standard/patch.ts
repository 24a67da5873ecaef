import type { Args } from '../method.ts'
import { failSet } from '../set-error.ts'
import { isRecord } from './arguments.ts'

/**
 * An object with a PatchObject applied (RFC 8620 §5.3): each name is a path of members, a value of null removes the
 * member or sets it to null where it is one of the object's own. `invalidPatch` for what has no such place.
 */
export const applyPatch = (object: Args, patch: Args): Args => {
  const paths = Object.keys(patch)
  refuseOverlap(paths)
  const patched: Args = structuredClone(object)
  for (const path of paths) setAt(patched, path, patch[path])
  return patched
}

/** RFC 6901 §3 without the leading slash. */
export const splitPath = (path: string): string[] =>
  path.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

const setAt = (object: Args, path: string, value: unknown): void => {
  const names = splitPath(path)
  const last = names.pop() ?? ''
  let place = object
  for (const name of names) {
    const inner = Object.hasOwn(place, name) ? place[name] : undefined
    place = isRecord(inner) ? inner : failSet('invalidPatch', `There is no "${path.slice(0, 100)}" to change.`)
  }
  if (value === null && names.length > 0) delete place[last]
  else place[last] = value
}

/** Refuses a patch in which one path is inside another (RFC 8620 §5.3). */
const refuseOverlap = (paths: readonly string[]): void => {
  const all = new Set(paths)
  for (const path of paths)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
      if (all.has(path.slice(0, at))) failSet('invalidPatch', `"${path.slice(0, 100)}" is changed twice.`)
}

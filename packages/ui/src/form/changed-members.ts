import { differs } from './form-errors.ts'

/** The members that differ: what the person did not touch is not sent, so that it overwrites nobody. */
export const changedMembers = <T extends object>(next: T, before: T): Partial<T> => {
  const changed: Partial<T> = { ...next }
  for (const name of Object.keys(next))
    if (!differs(Reflect.get(next, name), Reflect.get(before, name))) Reflect.deleteProperty(changed, name)
  return changed
}

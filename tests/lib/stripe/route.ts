import type { z } from 'zod'
import { check, type Form } from './form.ts'
import type { Store } from './store.ts'

export type Method = 'GET' | 'POST' | 'DELETE'
export type Route = {
  method: Method
  /** `:` stands for an id. */
  path: string
  /** Refuses bad parameters before anything is done, then does it. */
  prepare: (store: Store, form: Form, ids: readonly string[]) => () => object
}

export const route = <T extends z.ZodType>(
  method: Method,
  path: string,
  shape: T,
  run: (store: Store, params: z.output<T>, id: string, second: string) => object,
): Route => ({
  method,
  path,
  prepare: (store, form, ids) => {
    const params = check(shape, form)
    return () => run(store, params, ids[0] ?? '', ids[1] ?? '')
  },
})

/** The ids in a path that fits. */
export const matchPath = (pattern: string, path: string): string[] | undefined => {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  if (!wanted.every((part, at) => part === ':' || part === given[at])) return undefined
  return given.filter((_, at) => wanted[at] === ':').map(decodeURIComponent)
}

import { createContext, use } from 'react'

/** The type whose entries a field refers to by slug, and what they are called. */
export type SlugReference = { readonly type: string; readonly label: string }

/** The slugs that a value holds. */
export type HeldSlugs = {
  readonly slugs: readonly string[]
  /** In an order; otherwise there is one at most. */
  readonly isList: boolean
  readonly max: number
  /** The value that holds these. */
  toValue(slugs: readonly string[]): unknown
}

/** Fields of the entry that hold slugs of other entries, by key, as the website has declared them. */
export const SlugReferences = createContext<Readonly<Record<string, SlugReference>>>({})

export const useSlugReference = (path: string): SlugReference | undefined => {
  const references = use(SlugReferences)
  return Object.hasOwn(references, path) ? references[path] : undefined
}

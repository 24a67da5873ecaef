import { z } from 'zod'

/** True for what every object already has: as a key it would be found where nothing was stored. */
export const isObjectMember = (name: string): boolean => name in Object.prototype || name === 'prototype'

/** The name of a content type: `:type` in paths, and what references point to. */
export const typeName = z.string().superRefine((name, context) => {
  const message = nameProblem(name)
  if (message !== null) context.addIssue({ code: 'custom', message })
})

/** `/content/:type/single` reads the entry of a single type. */
const reserved: ReadonlySet<string> = new Set(['single'])

const nameProblem = (name: string): string | null => {
  if (isObjectMember(name) || reserved.has(name)) return 'is reserved; choose another name'
  if (/^[a-z][a-zA-Z0-9-]{0,62}$/.test(name)) return null
  return 'must start with a lowercase letter and contain only letters, digits and hyphens, up to 63 characters'
}

import { fieldTypes, isFieldType } from './fields/types/index.ts'
import { quote, type TypeWriter } from './fields/typescript.ts'

/** A field as a website reads it. Its type may be newer than this program. */
export type ReadField = { key: string; type: string; [option: string]: unknown }
export type ReadType = {
  name: string
  label: string
  kind: 'collection' | 'single'
  fields: readonly ReadField[]
}

/**
 * The content types of a site as TypeScript: one type for the data of each, and `CmsSchema` for `createClient<CmsSchema>`.
 * The same types give the same text, whatever their order.
 */
export const schemaTypes = (types: readonly ReadType[]): string => {
  const sorted = types.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const names = namesOf(sorted)
  const data = sorted.map(({ name, label, fields }) => {
    const head = comment(label, '')
    return `${head}export type ${names.get(name)} = ${objectType(fields, names, '')}\n`
  })
  const members = sorted.map(
    ({ name, kind }) => `  ${memberName(name)}: { kind: ${quote(kind)}; data: ${names.get(name)} }\n`,
  )
  return [HEAD, ...data, `export type CmsSchema = {\n${members.join('')}}\n`].join('\n')
}

const HEAD = `// Written by "npm run cms:types". Change content types in the CMS, then run it again.

/** A file of the media library. */
export type MediaFile = {
  id: string
  url: string
  filename: string
  mimeType: string
  size: number
  width: number | null
  height: number | null
  alt: string
  caption: string
  focalX: number
  focalY: number
}

/** A referenced entry. Its data is only included up to the requested depth. */
export type Reference<Type extends string, Data> = {
  id: string
  slug: string
  type: Type
  title: string
  url: string | null
  data?: Data
  publishedAt?: string | null
}
`

/** `blog-post` is BlogPostData; of several that would be called the same, the later ones get a number. */
const namesOf = (types: readonly ReadType[]): ReadonlyMap<string, string> => {
  const taken = new Set<string>()
  return new Map(
    types.map(({ name }) => {
      const words = name.split('-').filter((word) => word !== '')
      const base = `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Data`
      let unique = base
      for (let count = 2; taken.has(unique); count += 1) unique = `${base}${count}`
      taken.add(unique)
      return [name, unique] as const
    }),
  )
}

type Names = ReadonlyMap<string, string>

const objectType = (fields: readonly ReadField[], names: Names, indent: string): string => {
  if (fields.length === 0) return 'Record<never, never>'
  const inner = `${indent}  `
  const lines = fields.map((field) => {
    const help = comment(field.label === undefined ? '' : String(field.label), inner)
    return `${help}${inner}${memberName(field.key)}: ${valueType(field, names, inner)}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

/** What delivery puts in the place of a value; an empty one is always possible. */
const valueType = (field: ReadField, names: Names, indent: string): string => {
  if (!isFieldType(field.type)) return 'unknown'
  const types: TypeWriter = {
    dataOf: (type) => (typeof type === 'string' ? names.get(type) : undefined),
    objectOf: (fields) => objectType(Array.isArray(fields) ? fields : [], names, indent),
  }
  return fieldTypes[field.type].typescript(field, types)
}

const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name))

const comment = (text: string, indent: string): string => {
  const line = text
    .replaceAll('*/', '* /')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return line === '' ? '' : `${indent}/** ${line} */\n`
}

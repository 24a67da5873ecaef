import { z } from 'zod'
import type { Catalogue } from '../errors.ts'
import { HEALTH_PATHS } from './health.ts'
import { exampleOf } from './openapi-example.ts'
import { PUBLIC, type Route } from './route.ts'

export type Schema = Record<string, unknown>
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}
type Content = Record<string, { schema?: Schema; example?: unknown }>
export type ApiAnswer = {
  description: string
  headers?: Record<string, { description: string; schema: Schema }>
  content?: Content
  /** The codes of errors of this status. */
  'x-codes'?: readonly string[]
}
export type Operation = {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, string[]>[]
  /** What the credential must be allowed besides being valid. */
  'x-permission'?: string
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, ApiAnswer>
}
export type ApiDocument = {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: Record<string, Schema>; schemas: Record<string, Schema> }
  'x-errors'?: Catalogue
}

export type ApiDescription<R = Route> = {
  title: string
  version: string
  description: string
  publicUrl: string
  /** OpenAPI security scheme of each credential kind. */
  credentials: Readonly<Record<string, Record<string, unknown>>>
  /** The body of every error. */
  error: z.ZodType
  /** Every code, with its status. */
  catalogue?: Catalogue
  /** The codes that a route can answer with, besides those of any route. */
  errorsOf?: (route: R) => readonly string[]
  /** The permission that a route requires besides a valid credential. */
  permissionOf?: (route: R) => string | null
  /** Bodies by `METHOD /path`; one is made of the schema where there is none. */
  examples?: Readonly<Record<string, unknown>>
  /** Descriptions of the groups of routes. */
  groups?: Readonly<Record<string, string>>
  /** The group of a path, where it is not the first segment after `/api`. */
  groupOf?: (path: string) => string | undefined
  /** Operations that are served by something else than a declared route, by path and method. */
  others?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** OpenAPI 3.1 out of the schemas that validate requests and build answers, so that it cannot drift from them. */
export const describeApi = <R extends Route>(routes: readonly R[], api: ApiDescription<R>): ApiDocument => {
  const schemas: Schemas = { Error: jsonSchema(api.error, 'output') }
  const paths = describePaths(routes, api, schemas)
  for (const path of HEALTH_PATHS) paths[path] = { get: healthOperation(path) }
  for (const [path, operations] of Object.entries(api.others ?? {})) paths[path] = { ...paths[path], ...operations }
  const used = Object.values(paths).flatMap((operations) => Object.values(operations).flatMap(({ tags }) => tags))
  return {
    openapi: '3.1.0',
    info: { title: api.title, version: api.version, description: api.description },
    servers: [{ url: api.publicUrl }],
    tags: [...new Set(used)].map((name) => withText(name, api.groups?.[name])),
    paths,
    components: { securitySchemes: api.credentials, schemas },
    ...(api.catalogue && { 'x-errors': api.catalogue }),
  }
}

type Schemas = Record<string, Schema>

const withText = (name: string, description: string | undefined) => ({
  name,
  ...(description !== undefined && { description }),
})

const describePaths = <R extends Route>(
  routes: readonly R[],
  api: ApiDescription<R>,
  schemas: Schemas,
): ApiDocument['paths'] => {
  const paths: ApiDocument['paths'] = {}
  const names = new Set<string>()
  for (const route of routes) {
    const name = operationId(route)
    if (names.has(name)) throw new Error(`${route.method} ${route.path} has the operationId of another route: ${name}`)
    names.add(name)
    const path = route.path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{rest}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route, path, api, schemas) }
  }
  return paths
}

const describeRoute = <R extends Route>(
  route: R,
  path: string,
  api: ApiDescription<R>,
  schemas: Schemas,
): Operation => {
  const permission = api.permissionOf?.(route) ?? null
  const body = bodyOf(route, api, schemas)
  const given = route.body ?? route.form
  const isVersioned = given !== undefined && propertiesOf(jsonSchema(given, 'input')).has('version')
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: [api.groupOf?.(route.path) ?? tagOf(path)],
    security: route.auth === PUBLIC ? [] : route.auth.map((kind) => ({ [kind]: [] })),
    ...(permission !== null && { 'x-permission': permission }),
    parameters: [
      ...parametersOf(route.params, 'path', path),
      ...parametersOf(route.query ?? route.describes.query, 'query', path),
      ...(isVersioned ? [IF_MATCH] : []),
    ],
    ...(body && { requestBody: body }),
    responses: { ...successes(route, schemas), ...failures(api, api.errorsOf?.(route) ?? []) },
  }
}

/** RFC 9110 §13.1.1. */
const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The version of the record that you changed, as an ETag like "v3". Overrides a version in the body.',
  schema: { type: 'string' },
}

const bodyOf = <R extends Route>(
  route: R,
  api: ApiDescription<R>,
  schemas: Schemas,
): Operation['requestBody'] | undefined => {
  const own = route.describes.body
  if (own) return { required: true, content: contentOf(own, api.examples?.[`${route.method} ${route.path}`]) }
  if (route.form) {
    const schema = jsonSchema(route.form, 'input')
    const properties = { file: { type: 'string', format: 'binary' }, ...recordOf(schema.properties) }
    const required = ['file', ...(Array.isArray(schema.required) ? schema.required : [])]
    return { required: true, content: { 'multipart/form-data': { schema: { ...schema, properties, required } } } }
  }
  if (!route.body) return undefined
  const plain = jsonSchema(route.body, 'input')
  const given = api.examples?.[`${route.method} ${route.path}`]
  const example = given ?? exampleOf(plain)
  const isShown = example !== undefined && route.body.safeParse(example).success
  if (given !== undefined && !isShown) throw new Error(`${route.method} ${route.path} refuses its own example`)
  const schema = named(plain, { name: `${operationId(route)}Body`, schemas })
  // The body is optional if an empty object is valid.
  const required = !route.body.safeParse({}).success
  return { required, content: { 'application/json': { schema, ...(isShown && { example }) } } }
}

/** Bodies that a route reads by itself, with the example where it is one of them. */
const contentOf = (types: Readonly<Record<string, z.ZodType | null>>, given: unknown): Content =>
  Object.fromEntries(
    Object.entries(types).map(([type, schema]) => {
      if (schema === null) return [type, {}]
      const plain = jsonSchema(schema, 'input')
      const example = given ?? exampleOf(plain)
      return [type, { schema: plain, ...(schema.safeParse(example).success && { example }) }]
    }),
  )

/** A route without content may still return some, such as the result of a dry run. */
const successes = (route: Route, schemas: Schemas): Record<string, ApiAnswer> =>
  route.status === 204 && route.output !== 'empty'
    ? { 200: success(route, schemas), 204: { description: 'Success' } }
    : { [route.status]: success(route, schemas) }

const success = (route: Route, schemas: Schemas): ApiAnswer => {
  if (route.output === 'empty') return { description: 'Success' }
  const output = route.output === 'raw' ? route.describes.output : route.output
  if (output === undefined) return { description: 'Success', content: { [route.describes.type ?? '*/*']: {} } }
  const plain = jsonSchema(output, 'output')
  const schema = named(plain, { name: `${operationId(route)}Answer`, schemas })
  return {
    description: 'Success',
    ...(propertiesOf(plain).has('version') && { headers: { ETag: ETAG } }),
    content: { [route.describes.type ?? 'application/json']: { schema } },
  }
}

const ETAG = { description: 'The version of the record, like "v3", to send as If-Match.', schema: { type: 'string' } }

const failures = (api: ApiDescription<never>, codes: readonly string[]): Record<string, ApiAnswer> => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  const byStatus = new Map<number, string[]>()
  for (const code of new Set(codes)) {
    const status = api.catalogue?.[code]?.status
    if (status === undefined) throw new Error(`${code} is not in the catalogue`)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const known = [...byStatus].map(([status, list]): [string, ApiAnswer] => [
    String(status),
    { description: list.join(', '), content, 'x-codes': list },
  ])
  return { ...Object.fromEntries(known), default: { description: 'Error', content } }
}

const healthOperation = (path: string): Operation => {
  const state = { type: 'object', properties: { status: { type: 'string' } }, required: ['status'] }
  const content = { 'application/json': { schema: state } }
  const isReady = path === HEALTH_PATHS[1]
  return {
    operationId: isReady ? 'getReadyz' : 'getHealthz',
    summary: isReady ? 'Readiness: the service is up and its database responds' : 'Liveness: the process responds',
    tags: ['service'],
    security: [],
    parameters: [],
    responses: {
      200: { description: 'OK', content },
      ...(isReady && { 503: { description: 'Unavailable', content } }),
    },
  }
}

const parametersOf = (schema: z.ZodType | undefined, where: 'path' | 'query', path: string): Parameter[] => {
  const whole = schema ? jsonSchema(schema, 'input') : {}
  const properties = propertiesOf(whole)
  const required = Array.isArray(whole.required) ? whole.required : []
  const names =
    where === 'path' ? [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '') : [...properties.keys()]
  return names.map((name) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: properties.get(name) ?? { type: 'string' },
  }))
}

/** A schema that refers to itself moves to the components, because its references count from the document's root. */
const named = (plain: Schema, { name, schemas }: { name: string; schemas: Schemas }): Schema => {
  const text = JSON.stringify(plain)
  if (!text.includes('"$ref":"#')) return plain
  const place = `#/components/schemas/${name}`
  schemas[name] = JSON.parse(text.replaceAll('"$ref":"#', `"$ref":"${place}`))
  return { $ref: place }
}

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Schema => {
  const { $schema: _dialect, ...plain } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  })
  return plain
}

/** The members of an object, or of all the objects that it may be one of. */
const propertiesOf = (schema: Schema): Map<string, Schema> => {
  const variants = [schema.anyOf, schema.oneOf, schema.allOf].filter(Array.isArray).flat().filter(isRecord)
  const own = Object.entries(recordOf(schema.properties)).filter((entry): entry is [string, Schema] =>
    isRecord(entry[1]),
  )
  return new Map([...variants.flatMap((variant) => [...propertiesOf(variant)]), ...own])
}

const isRecord = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const recordOf = (value: unknown): Schema => (isRecord(value) ? value : {})

const operationId = (route: Route): string =>
  `${route.method.toLowerCase()}${route.path
    .split('/')
    .filter(Boolean)
    .map((part) => part.replace(/^:/, 'by-'))
    .join('-')
    .replace(/[^a-zA-Z0-9]+(.)?/g, (_all, next: string | undefined) => next?.toUpperCase() ?? '')
    .replace(/^./, (first) => first.toUpperCase())}`

const SERVICE_PATHS = new Set(['openapi.json', 'reference'])

/** Routes of one slice share the first segment after /api. */
const tagOf = (path: string): string => {
  const first = path.split('/').filter((part) => part && part !== 'api')[0] ?? 'service'
  return SERVICE_PATHS.has(first) ? 'service' : first
}

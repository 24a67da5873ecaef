import { z } from 'zod'
import { PUBLIC, type Route } from './route.ts'

export type ApiDescription = {
  title: string
  version: string
  description: string
  publicUrl: string
  /** OpenAPI security scheme of each credential kind. */
  credentials: Readonly<Record<string, Record<string, unknown>>>
  /** The body of every error. */
  error: z.ZodType
}

/** OpenAPI 3.1 out of the schemas that validate requests and build answers, so that it cannot drift from them. */
export const describeApi = (routes: readonly Route[], api: ApiDescription): Record<string, unknown> => {
  const schemas: Schemas = { Error: jsonSchema(api.error, 'output') }
  return {
    openapi: '3.1.0',
    info: { title: api.title, version: api.version, description: api.description },
    servers: [{ url: api.publicUrl }],
    paths: describePaths(routes, schemas),
    components: { securitySchemes: api.credentials, schemas },
  }
}

type Schemas = Record<string, unknown>

const describePaths = (routes: readonly Route[], schemas: Schemas): Record<string, unknown> => {
  const paths: Record<string, Record<string, unknown>> = {}
  const names = new Set<string>()
  for (const route of routes) {
    const name = operationId(route)
    if (names.has(name)) throw new Error(`${route.method} ${route.path} has the operationId of another route: ${name}`)
    names.add(name)
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route, path, schemas) }
  }
  return paths
}

const describeRoute = (route: Route, path: string, schemas: Schemas): Record<string, unknown> => ({
  operationId: operationId(route),
  summary: route.summary,
  tags: [tagOf(path)],
  security: route.auth === PUBLIC ? [] : route.auth.map((kind) => ({ [kind]: [] })),
  parameters: [...parametersOf(route.params, 'path', path), ...parametersOf(route.query, 'query', path)],
  ...(route.body
    ? {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: bodySchema(route, route.body, schemas) } },
        },
      }
    : {}),
  responses: {
    [route.status]: { description: 'Success', ...successContent(route, schemas) },
    default: {
      description: 'Error',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  },
})

const bodySchema = (route: Route, body: z.ZodType, schemas: Schemas): Record<string, unknown> =>
  described(body, 'input', { name: `${operationId(route)}Body`, schemas })

const successContent = (route: Route, schemas: Schemas): Record<string, unknown> => {
  if (route.output === 'empty') return {}
  if (route.output === 'raw') return { content: { '*/*': {} } }
  const schema = described(route.output, 'output', { name: `${operationId(route)}Answer`, schemas })
  return { content: { 'application/json': { schema } } }
}

const parametersOf = (schema: z.ZodType | undefined, where: 'path' | 'query', path: string): unknown[] => {
  const whole = schema ? jsonSchema(schema, 'input') : {}
  const properties: Record<string, unknown> = isRecord(whole.properties) ? whole.properties : {}
  const required = Array.isArray(whole.required) ? whole.required : []
  const names =
    where === 'path' ? [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '') : Object.keys(properties)
  return names.map((name) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: properties[name] ?? { type: 'string' },
  }))
}

/** A schema that refers to itself moves to the components, because its references count from the document's root. */
const described = (
  schema: z.ZodType,
  io: 'input' | 'output',
  { name, schemas }: { name: string; schemas: Schemas },
): Record<string, unknown> => {
  const plain = jsonSchema(schema, io)
  const text = JSON.stringify(plain)
  if (!text.includes('"$ref":"#')) return plain
  const place = `#/components/schemas/${name}`
  schemas[name] = JSON.parse(text.replaceAll('"$ref":"#', `"$ref":"${place}`))
  return { $ref: place }
}

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> => {
  const { $schema: _dialect, ...plain } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  })
  return plain
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const operationId = (route: Route): string =>
  `${route.method.toLowerCase()}${route.path
    .split('/')
    .filter(Boolean)
    .map((part) => part.replace(/^:/, 'by-'))
    .join('-')
    .replace(/[^a-zA-Z0-9]+(.)?/g, (_all, next: string | undefined) => next?.toUpperCase() ?? '')
    .replace(/^./, (first) => first.toUpperCase())}`

/** Routes of one slice share the first segment after /api. */
const tagOf = (path: string): string => path.split('/').filter((part) => part && part !== 'api')[0] ?? 'service'

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
export const describeApi = (routes: readonly Route[], api: ApiDescription): Record<string, unknown> => ({
  openapi: '3.1.0',
  info: { title: api.title, version: api.version, description: api.description },
  servers: [{ url: api.publicUrl }],
  components: { securitySchemes: api.credentials, schemas: { Error: jsonSchema(api.error, 'output') } },
  paths: describePaths(routes),
})

const describePaths = (routes: readonly Route[]): Record<string, unknown> => {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route, path) }
  }
  return paths
}

const describeRoute = (route: Route, path: string): Record<string, unknown> => ({
  operationId: operationId(route),
  summary: route.summary,
  tags: [tagOf(path)],
  security: route.auth === PUBLIC ? [] : route.auth.map((kind) => ({ [kind]: [] })),
  parameters: [...parametersOf(route.params, 'path', path), ...parametersOf(route.query, 'query', path)],
  ...(route.body
    ? { requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(route.body, 'input') } } } }
    : {}),
  responses: {
    [route.status]: { description: 'Success', ...successContent(route) },
    default: {
      description: 'Error',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  },
})

const successContent = (route: Route): Record<string, unknown> => {
  if (route.output === 'empty') return {}
  if (route.output === 'raw') return { content: { '*/*': {} } }
  return { content: { 'application/json': { schema: jsonSchema(route.output, 'output') } } }
}

const parametersOf = (schema: z.ZodType | undefined, where: 'path' | 'query', path: string): unknown[] => {
  const described = schema ? jsonSchema(schema, 'input') : {}
  const properties: Record<string, unknown> = isRecord(described.properties) ? described.properties : {}
  const required = Array.isArray(described.required) ? described.required : []
  const names = where === 'path' ? [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '') : Object.keys(properties)
  return names.map((name) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: properties[name] ?? { type: 'string' },
  }))
}

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> => {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' })
  return described
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

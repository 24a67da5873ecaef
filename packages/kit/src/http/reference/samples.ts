import type { ApiDocument, Operation } from '../openapi.ts'
import { exampleOf } from '../openapi-example.ts'

/** One call, as code. */
export type Sample = { readonly language: string; readonly label: string; readonly code: string }

type Call = {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** What is sent as JSON, or the name of a form's file. */
  readonly body: { readonly json: unknown } | { readonly file: string } | null
}

/** The same call in each language. */
export const samplesOf = (
  api: ApiDocument,
  listed: { method: string; path: string; operation: Operation },
): Sample[] => {
  const call = callOf(api, listed)
  return [
    { language: 'curl', label: 'curl', code: curl(call) },
    { language: 'javascript', label: 'JavaScript', code: javascript(call) },
    { language: 'python', label: 'Python', code: python(call) },
  ]
}

const callOf = (
  api: ApiDocument,
  { method, path, operation }: { method: string; path: string; operation: Operation },
): Call => {
  const { parameters, requestBody, security } = operation
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const example = exampleOf(parameters.find((each) => each.in === 'path' && each.name === name)?.schema)
    return typeof example === 'string' && /^[\w@.-]+$/.test(example) ? example : name
  })
  const query = parameters
    .filter((each) => each.in === 'query' && each.required)
    .map(({ name, schema }) => `${encodeURIComponent(name)}=${encodeURIComponent(String(exampleOf(schema) ?? ''))}`)
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const isForm = type === 'multipart/form-data'
  const body = isForm ? { file: 'picture.jpg' } : content?.example === undefined ? null : { json: content.example }
  return {
    method,
    url: `${api.servers[0]?.url ?? ''}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers: [
      ...credential(api, security),
      ...(body && 'json' in body ? [['content-type', type ?? 'application/json'] as const] : []),
    ],
    body,
  }
}

const credential = ({ components }: ApiDocument, security: Operation['security']): (readonly [string, string])[] => {
  const [kind] = security.flatMap((each) => Object.keys(each))
  const scheme = kind === undefined ? undefined : components.securitySchemes[kind]
  if (!scheme) return []
  if (scheme.type === 'apiKey')
    return [scheme.in === 'cookie' ? ['cookie', `${scheme.name}=…`] : [String(scheme.name).toLowerCase(), '…']]
  return [['authorization', scheme.scheme === 'basic' ? 'Basic …' : 'Bearer …']]
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const curl = ({ method, url, headers, body }: Call): string => {
  const isImplied = method === 'GET' || (method === 'POST' && body !== null)
  return [
    `curl ${isImplied ? '' : `-X ${method} `}${quoted(url)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : 'file' in body ? [`-F file=@${body.file}`] : [`-d ${quoted(json(body.json, 2))}`]),
  ].join(' \\\n  ')
}

const json = (value: unknown, indent: number): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(indent)}`)

const javascript = ({ method, url, headers, body }: Call): string => {
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length > 0
      ? [`headers: { ${headers.map(([name, value]) => `${scriptName(name)}: ${JSON.stringify(value)}`).join(', ')} }`]
      : []),
    ...(body === null ? [] : ['file' in body ? 'body: form' : `body: JSON.stringify(${json(body.json, 2)})`]),
  ]
  const form =
    body && 'file' in body
      ? `const form = new FormData()\nform.set('file', await openAsBlob('${body.file}'), '${body.file}')\n`
      : ''
  const call = options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`
  return `${form}const response = await fetch(${JSON.stringify(url)}${call})\nconst result = await response.json()`
}

const scriptName = (name: string): string => (/^[a-z]+$/.test(name) ? name : `'${name}'`)

const python = ({ method, url, headers, body }: Call): string => {
  const given = [
    JSON.stringify(url),
    ...(headers.length > 0
      ? [`headers={${headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(', ')}}`]
      : []),
    ...(body === null
      ? []
      : ['file' in body ? `files={"file": open("${body.file}", "rb")}` : `json=${pythonValue(body.json, 4)}`]),
  ]
  return `import requests\n\nresponse = requests.${method.toLowerCase()}(\n    ${given.join(',\n    ')},\n)\nresult = response.json()`
}

const pythonValue = (value: unknown, indent: number): string => {
  const inner = ' '.repeat(indent + 4)
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const isList = Array.isArray(value)
  const members = isList
    ? value.map((item) => pythonValue(item, indent + 4))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${pythonValue(member, indent + 4)}`)
  const [open, close] = isList ? '[]' : '{}'
  if (members.length === 0) return `${open}${close}`
  return `${open}\n${members.map((member) => `${inner}${member},`).join('\n')}\n${' '.repeat(indent)}${close}`
}

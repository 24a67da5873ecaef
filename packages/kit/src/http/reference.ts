import { createHash } from 'node:crypto'
import { type Variants, variantsOf } from './compression.ts'
import { strongEtag } from './etag.ts'
import { type ApiDescription, type ApiDocument, describeApi, type Operation, type Schema } from './openapi.ts'
import { memberRows } from './reference-members.ts'
import { css } from './reference-style.ts'
import type { Route } from './route.ts'

/** What a service answers about itself: the document for programs, and the page for people. */
export type PublishedApi = { document: Variants; page: Variants }

/**
 * Both are made once, of the same routes, when they are first asked for: it takes longer than all else at the start of a
 * service. The page loads nothing and runs no script.
 */
export const publishApi = <R extends Route>(routes: readonly R[], api: ApiDescription<R>): PublishedApi => {
  let published: PublishedApi | undefined
  const publish = (): PublishedApi => {
    published ??= renderApi(routes, api)
    return published
  }
  return {
    get document() {
      return publish().document
    },
    get page() {
      return publish().page
    },
  }
}

const renderApi = <R extends Route>(routes: readonly R[], api: ApiDescription<R>): PublishedApi => {
  const described = describeApi(routes, api)
  const document = JSON.stringify(described)
  const page = renderReference(described)
  return {
    document: variantsOf(document, {
      contentType: 'application/json; charset=utf-8',
      etag: strongEtag(document),
      headers: { vary: 'Accept-Encoding' },
    }),
    page: variantsOf(page, {
      contentType: 'text/html; charset=utf-8',
      etag: strongEtag(page),
      headers: { 'content-security-policy': REFERENCE_POLICY, 'cache-control': 'no-cache', vary: 'Accept-Encoding' },
    }),
  }
}

/** Its own style and nothing else. */
export const REFERENCE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** The description as a page to read. */
export const renderReference = (api: ApiDocument): string => {
  const groups = api.tags.map(({ name, description = '' }) => ({ name, description, operations: listOf(api, name) }))
  const { title, version, description } = api.info
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text(title)} API</title>
<style>${css}</style>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header>
<h1>${text(title)} API</h1>
<p>Version ${text(version)}. ${text(description)}</p>
<p>The same for programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
</header>
<nav aria-label="Groups"><ul>
<li><a href="#credentials">Credentials</a></li>
${groups.map(({ name, operations }) => `<li><a href="#${id(name)}">${text(titleOf(name))}</a> <small>${operations.length}</small></li>`).join('\n')}
${api['x-errors'] ? '<li><a href="#errors">Errors</a></li>' : ''}
</ul></nav>
<main id="main">
${credentialsSection(api)}
${groups.map((group) => groupSection(api, group)).join('\n')}
${errorsSection(api)}
</main>
</body>
</html>
`
}

type Listed = { method: string; path: string; operation: Operation }

const listOf = ({ paths }: ApiDocument, tag: string): Listed[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

const credentialsSection = ({ components }: ApiDocument): string => `<section id="credentials">
<h2>Credentials</h2>
<dl>${Object.entries(components.securitySchemes)
  .map(([kind, scheme]) => `<dt>${text(kind)}</dt><dd>${howToSend(scheme)}</dd>`)
  .join('')}</dl>
</section>`

const howToSend = (scheme: Schema): string => {
  const about = typeof scheme.description === 'string' ? ` ${text(scheme.description)}` : ''
  if (scheme.type === 'apiKey')
    return `<code>${text(String(scheme.name))}</code> as ${text(String(scheme.in))}.${about}`
  const name = scheme.scheme === 'basic' ? 'Basic' : 'Bearer'
  return `<code>Authorization: ${name}</code>.${about}`
}

type Group = { name: string; description: string; operations: Listed[] }

const groupSection = (api: ApiDocument, { name, description, operations }: Group): string =>
  `<section id="${id(name)}">
<h2>${text(titleOf(name))}</h2>
${description === '' ? '' : `<p>${text(description)}</p>`}
${operations.map((listed) => operationDetails(api, listed)).join('\n')}
</section>`

const operationDetails = (api: ApiDocument, { method, path, operation }: Listed): string =>
  `<details id="${id(operation.operationId)}">
<summary><b class="m ${method.toLowerCase()}">${method}</b> <code>${text(path)}</code> <span>${text(operation.summary)}</span></summary>
<div>
<p>${whoMay(operation)}</p>
${parametersTable(api, operation)}
${bodySection(api, operation)}
${answersSection(api, operation)}
</div>
</details>`

const whoMay = ({ security, 'x-permission': permission }: Operation): string => {
  const kinds = security.flatMap((each) => Object.keys(each))
  if (kinds.length === 0) return 'No credential.'
  const needed = permission === undefined ? '' : ` Requires <code>${text(permission)}</code>.`
  return `Credential: ${kinds.map((kind) => `<a href="#credentials">${text(kind)}</a>`).join(' or ')}.${needed}`
}

const parametersTable = (api: ApiDocument, { parameters }: Operation): string => {
  if (parameters.length === 0) return ''
  const rows = parameters.map(({ name, in: where, required, description = '', schema }) => {
    const [whole] = memberRows(api, { type: 'object', properties: { [name]: schema } })
    return row([
      `<code>${text(name)}</code>`,
      text(where),
      text(whole?.type ?? ''),
      required ? 'required' : '',
      text(description || (whole?.limits ?? '')),
    ])
  })
  return `<h3>Parameters</h3>${table(['Name', 'In', 'Type', '', ''], rows)}`
}

const bodySection = (api: ApiDocument, { requestBody }: Operation): string =>
  requestBody === undefined
    ? ''
    : Object.entries(requestBody.content)
        .map(
          ([type, { schema, example }]) =>
            `<h3>Body <small>${text(type)}${requestBody.required ? '' : ', optional'}</small></h3>${membersTable(api, schema)}${
              example === undefined
                ? ''
                : `<h4>Example</h4><pre tabindex="0">${text(JSON.stringify(example, null, 2))}</pre>`
            }`,
        )
        .join('')

const answersSection = (api: ApiDocument, { responses }: Operation): string => {
  const all = Object.entries(responses).filter(([status]) => status !== 'default')
  const good = all.filter(([, answer]) => answer['x-codes'] === undefined)
  const bad = all.flatMap(([status, answer]) => (answer['x-codes'] ?? []).map((code) => ({ status, code })))
  const shown = good.map(([status, { description, headers = {}, content = {} }]) => {
    const tables = Object.entries(content).map(([type, { schema }]) => membersTable(api, schema, type))
    const names = Object.keys(headers).map((name) => `<code>${text(name)}</code>`)
    return `<h3>Response <small>${text(status)}${description === 'Success' ? '' : `, ${text(description)}`}</small></h3>${
      names.length > 0 ? `<p>Headers: ${names.join(', ')}.</p>` : ''
    }${tables.join('') || '<p>No body.</p>'}`
  })
  const codes = bad.map(({ status, code }) => `<li>${text(status)} <a href="#${id(code)}">${text(code)}</a></li>`)
  return `${shown.join('')}${codes.length > 0 ? `<h3>Errors</h3><ul class="codes">${codes.join('')}</ul>` : ''}`
}

const membersTable = (api: ApiDocument, schema: Schema | undefined, type = '*/*'): string => {
  if (schema === undefined) return type === '*/*' ? '<p>Bytes.</p>' : `<p><code>${text(type)}</code></p>`
  const rows = memberRows(api, schema).map(({ path, type, isRequired, limits }) =>
    row([`<code>${text(path)}</code>`, text(type), isRequired ? 'required' : '', text(limits)]),
  )
  return rows.length === 0 ? '' : table(['Field', 'Type', '', ''], rows)
}

const errorsSection = (api: ApiDocument): string => {
  const errors = api['x-errors']
  if (!errors) return ''
  const rows = Object.entries(errors).map(
    ([code, { status, message }]) =>
      `<tr id="${id(code)}"><td><code>${text(code)}</code></td><td>${status}</td><td>${text(message)}</td></tr>`,
  )
  return `<section id="errors"><h2>Errors</h2>${table(['Code', 'Status', 'Meaning'], rows)}</section>`
}

const table = (heads: readonly string[], rows: readonly string[]): string =>
  `<div class="scroll"><table><thead><tr>${heads.map((head) => (head === '' ? '<td></td>' : `<th scope="col">${text(head)}</th>`)).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`

const row = (cells: readonly string[]): string => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`

const titleOf = (tag: string): string => {
  const words = tag.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const text = (value: string): string => value.replace(/[&<>"']/g, (character) => entities[character] ?? '')
const id = (value: string): string => value.replace(/[^A-Za-z0-9_-]/g, '-')

import { createHash } from 'node:crypto'
import type { ApiDocument, Operation, Schema } from '../openapi.ts'
import { sketchOf } from '../openapi-example.ts'
import { id, row, table, text } from './html.ts'
import { memberRows } from './members.ts'
import { samplesOf } from './samples.ts'
import { script } from './script.ts'
import { makeStyle } from './style.ts'

const hashOf = (bytes: string): string => `'sha256-${createHash('sha256').update(bytes).digest('base64')}'`

/** Its own style and script, and nothing else. */
const policyOf = (css: string): string =>
  `default-src 'none'; style-src ${hashOf(css)}; font-src data:; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export type ReferencePage = { html: string; policy: string }

/** The description as a page to read. */
export const renderReference = (api: ApiDocument): ReferencePage => {
  const css = makeStyle()
  const groups = api.tags.map(({ name, description = '' }) => ({ name, description, operations: listOf(api, name) }))
  const { title, version, description } = api.info
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text(title)} API reference</title>
<style>${css}</style>
</head>
<body>
<nav aria-label="Reference">
<a class="skip" href="#main">Skip to content</a>
<strong>${text(title)}</strong>
<input class="find" type="search" placeholder="Find an endpoint" aria-label="Find an endpoint" autocomplete="off" hidden="">
<p class="none" role="status" hidden="">No endpoint found</p>
<details class="list" open="">
<summary>All endpoints</summary>
<ul>
<li><a href="#credentials">Authentication</a></li>
${api['x-errors'] ? '<li><a href="#errors">Errors</a></li>' : ''}
${groups.map(groupLinks).join('\n')}
</ul>
</details>
</nav>
<main id="main">
<header>
<h1>${text(title)} API</h1>
<p>${text(description)}</p>
<p>Version ${text(version)}. For programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
</header>
${credentialsSection(api)}
${groups.map((group) => groupSection(api, group)).join('\n')}
${errorsSection(api)}
</main>
<script>${script}</script>
</body>
</html>
`
  return { html, policy: policyOf(css) }
}

type Listed = { method: string; path: string; operation: Operation }
type Group = { name: string; description: string; operations: Listed[] }

const listOf = ({ paths }: ApiDocument, tag: string): Listed[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

const groupLinks = ({ name, operations }: Group): string =>
  `<li><details><summary>${text(titleOf(name))}</summary><ul>${operations
    .map(
      ({ method, path, operation }) =>
        `<li><a href="#${id(operation.operationId)}" data-path="${text(path.toLowerCase())}">${methodMark(method)}<span>${text(operation.summary)}</span></a></li>`,
    )
    .join('')}</ul></details></li>`

const methodMark = (method: string): string =>
  `<b class="m ${method.toLowerCase()}">${method === 'DELETE' ? 'DEL' : method}</b>`

const credentialsSection = ({ components }: ApiDocument): string => `<section id="credentials">
<h2>Authentication</h2>
<dl>${Object.entries(components.securitySchemes)
  .map(([kind, scheme]) => `<dt>${text(titleOf(kind))}</dt><dd>${howToSend(scheme)}</dd>`)
  .join('')}</dl>
</section>`

const howToSend = (scheme: Schema): string => {
  const about = typeof scheme.description === 'string' ? ` ${text(scheme.description)}` : ''
  if (scheme.type === 'apiKey') return `<code>${text(String(scheme.name))}</code> ${text(String(scheme.in))}.${about}`
  const name = scheme.scheme === 'basic' ? 'Basic' : 'Bearer'
  return `<code>Authorization: ${name}</code>.${about}`
}

const groupSection = (api: ApiDocument, { name, description, operations }: Group): string =>
  `<section id="${id(name)}">
<h2>${text(titleOf(name))}</h2>
${description === '' ? '' : `<p>${text(description)}</p>`}
${operations.map((listed) => operationArticle(api, listed)).join('\n')}
</section>`

const operationArticle = (api: ApiDocument, listed: Listed): string => {
  const { method, path, operation } = listed
  return `<article id="${id(operation.operationId)}">
<h3>${text(operation.summary)}</h3>
<p class="path">${methodMark(method)} <code>${text(path)}</code></p>
<div>
<p>${whoMay(operation)}</p>
${parametersTable(api, operation)}
${bodySection(api, operation)}
${answersSection(api, operation)}
</div>
<div class="side">
${requestSample(api, listed)}
${answerSample(operation)}
</div>
</article>`
}

const whoMay = ({ security, 'x-permission': permission }: Operation): string => {
  const kinds = security.flatMap((each) => Object.keys(each))
  if (kinds.length === 0) return 'No authentication needed.'
  const needed = permission === undefined ? '' : ` Requires <code>${text(permission)}</code>.`
  return `Authentication: ${kinds.map((kind) => `<a href="#credentials">${text(kind)}</a>`).join(' or ')}.${needed}`
}

const requestSample = (api: ApiDocument, listed: Listed): string => {
  const samples = samplesOf(api, listed)
  const buttons = samples.map(
    ({ language, label }) =>
      `<button type="button" data-language="${text(language)}" aria-pressed="false" hidden="">${text(label)}</button>`,
  )
  const codes = samples.map(
    ({ language, code }) =>
      `<pre tabindex="0" data-code="${text(language)}"${language === 'curl' ? '' : ' hidden=""'}>${text(code)}</pre>`,
  )
  return `<div class="sample"><div class="bar"><span>Request</span>${buttons.join('')}${COPY}</div>${codes.join('')}</div>`
}

const COPY = '<button type="button" data-copy="" hidden="">Copy</button>'

/** An answer as the schema describes it; left out where none can be made up. */
const answerSample = ({ responses }: Operation): string => {
  const found = Object.entries(responses).find(([status]) => /^2/.test(status))
  const schema = found?.[1].content?.['application/json']?.schema
  const example = schema && typeof schema.$ref !== 'string' ? sketchOf(schema) : undefined
  if (found === undefined || example === undefined) return ''
  const code = text(JSON.stringify(example, null, 2))
  return `<div class="sample"><div class="bar"><span>Response ${text(found[0])}</span>${COPY}</div><pre tabindex="0">${code}</pre></div>`
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
  return `<h4>Parameters</h4>${table(['Name', 'In', 'Type', '', ''], rows)}`
}

const bodySection = (api: ApiDocument, { requestBody }: Operation): string =>
  requestBody === undefined
    ? ''
    : Object.entries(requestBody.content)
        .map(
          ([type, { schema }]) =>
            `<h4>Body <small>${text(type)}${requestBody.required ? '' : ', optional'}</small></h4>${membersTable(api, schema)}`,
        )
        .join('')

const answersSection = (api: ApiDocument, { responses }: Operation): string => {
  const all = Object.entries(responses).filter(([status]) => status !== 'default')
  const good = all.filter(([, answer]) => answer['x-codes'] === undefined)
  const bad = all.flatMap(([status, answer]) => (answer['x-codes'] ?? []).map((code) => ({ status, code })))
  const shown = good.map(([status, { description, headers = {}, content = {} }]) => {
    const tables = Object.entries(content).map(([type, { schema }]) => membersTable(api, schema, type))
    const names = Object.keys(headers).map((name) => `<code>${text(name)}</code>`)
    return `<h4>Response <small>${text(status)}${description === 'Success' ? '' : `, ${text(description)}`}</small></h4>${
      names.length > 0 ? `<p>Headers: ${names.join(', ')}</p>` : ''
    }${tables.join('') || '<p>No body.</p>'}`
  })
  const codes = bad.map(({ status, code }) => `<li>${text(status)} <a href="#${id(code)}">${text(code)}</a></li>`)
  return `${shown.join('')}${codes.length > 0 ? `<h4>Errors</h4><ul class="codes">${codes.join('')}</ul>` : ''}`
}

const membersTable = (api: ApiDocument, schema: Schema | undefined, type = '*/*'): string => {
  if (schema === undefined) return type === '*/*' ? '<p>Bytes.</p>' : `<p><code>${text(type)}</code></p>`
  const rows = memberRows(api, schema).map(({ path, type, isRequired, limits }) =>
    row([`<code>${text(path)}</code>`, text(type), isRequired ? 'required' : '', text(limits)]),
  )
  return rows.length === 0 ? '' : table(['Member', 'Type', '', ''], rows)
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

const titleOf = (tag: string): string => {
  if (ABBREVIATIONS.has(tag)) return tag.toUpperCase()
  const words = tag.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const ABBREVIATIONS = new Set(['ai', 'dns', 'jmap', 'smtp', 'dkim'])

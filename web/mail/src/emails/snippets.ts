/** The data of the code examples. */
export type Example = {
  /** The origin of this service, without a trailing slash. */
  origin: string
  /** The token, or the name of a variable that holds it. */
  token: string
  from: string
  to: string
}

const SUBJECT = 'Hello from my own server'
const HTML = '<p>It works.</p>'

/** Until a domain can send, an address that has to be replaced. */
export const senderOf = (domains: readonly { name: string; capabilities: { sending: string } }[]): string => {
  const ready = domains.find(({ capabilities }) => capabilities.sending === 'enabled')
  return `hello@${ready?.name ?? 'example.com'}`
}

/** For a shell; the token may also be the name of a variable, hence the double quotes. */
export const curlExample = ({ origin, token, from, to }: Example): string =>
  [
    `curl '${origin}/api/emails' \\`,
    `  -H "Authorization: Bearer ${token}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shellText(JSON.stringify({ from, to, subject: SUBJECT, html: HTML }, null, 2).replaceAll('\n', '\n  '))}`,
  ].join('\n')

/** For Node.js, with the client that many programs have already. */
export const clientExample = ({ origin, token, from, to }: Example): string =>
  [
    `import { Resend } from 'resend'`,
    '',
    `const resend = new Resend(${token.startsWith('$') ? `process.env.${token.slice(1)}` : codeText(token)}, {`,
    `  baseUrl: ${codeText(`${origin}/api`)},`,
    '})',
    'const { data, error } = await resend.emails.send({',
    `  from: ${codeText(from)},`,
    `  to: ${codeText(to)},`,
    `  subject: ${codeText(SUBJECT)},`,
    `  html: ${codeText(HTML)},`,
    '})',
    'console.log(data ?? error)',
  ].join('\n')

/** For the environment of a program that has the client already: nothing else changes. */
export const envExample = ({ origin, token }: Pick<Example, 'origin' | 'token'>): string =>
  `RESEND_API_KEY=${token}\nRESEND_BASE_URL=${origin}/api`

const shellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const codeText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

import { hostname } from 'node:os'
import { domainToASCII } from 'node:url'
import { host, list, path, text } from '@stoa/kit/config/kinds.ts'
import { ConfigError, type ConfigOf, type ConfigProblem } from '@stoa/kit/config.ts'

/** What the service is called towards other servers and clients, and the certificate for it. */
export const nameVariables = {
  MAIL_HOSTNAME: host({
    defaultText: "the machine's name",
    doc: 'Public host name of this server, like mail.example.com. Used in SMTP greetings, DNS records and client settings.',
  }),
  MX_HOSTS: list({
    default: '',
    defaultText: 'MAIL_HOSTNAME',
    doc: 'Comma-separated host names of the servers that receive mail for hosted domains, preferred first.',
  }),
  SPF_INCLUDE: host({
    doc: 'Domain whose SPF record hosted domains should include. Without it, their SPF record lists their MX hosts.',
  }),
  TEST_DOMAIN: host({
    defaultText: 'simulator.MAIL_HOSTNAME',
    doc: 'Domain of the test addresses that simulate a delivery, a bounce or a complaint.',
  }),
  SYSTEM_FROM: text({
    defaultText: 'no-reply@MAIL_HOSTNAME',
    doc: 'Sender of emails from the service itself.',
  }),
  TLS_CERT_FILE: path({
    defaultText: 'self-signed in development',
    doc: 'PEM file with the certificate chain for MAIL_HOSTNAME. Reloaded when the file changes. Required in production unless ACME is on.',
  }),
  TLS_KEY_FILE: path({
    defaultText: 'self-signed in development',
    doc: 'PEM file with the private key of the certificate.',
  }),
}

export type Names = Readonly<{
  hostname: string
  mxHosts: readonly string[]
  spfInclude: string | null
  testDomain: string
  systemFrom: string
  tls: { readonly certFile: string; readonly keyFile: string } | null
}>

/** Brings the names into their ASCII form; throws ConfigError with all that are none. */
export const readNames = (values: ConfigOf<typeof nameVariables>): Names => {
  const problems: ConfigProblem[] = []
  const nameOf = (variable: string, given: string): string => {
    const name = toDomain(given)
    if (name === null) problems.push({ name: variable, problem: 'Enter a host name like mail.example.com.' })
    return name ?? ''
  }
  // A machine's own name may be anything; nothing depends on it before a real one is set.
  const own = values.MAIL_HOSTNAME === undefined ? (toDomain(hostname()) ?? 'localhost') : undefined
  const called = own ?? nameOf('MAIL_HOSTNAME', values.MAIL_HOSTNAME ?? '')
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = values
  if ((certFile === undefined) !== (keyFile === undefined))
    problems.push({
      name: certFile === undefined ? 'TLS_CERT_FILE' : 'TLS_KEY_FILE',
      problem: 'Set both the certificate and its key, or neither.',
    })
  const systemFrom = values.SYSTEM_FROM ?? `no-reply@${called}`
  if (!/^[^\s@<>"]{1,64}@[^\s@<>"]{1,253}$/.test(systemFrom))
    problems.push({ name: 'SYSTEM_FROM', problem: 'Enter an address like no-reply@mail.example.com.' })
  const names: Names = {
    hostname: called,
    mxHosts: values.MX_HOSTS.length === 0 ? [called] : values.MX_HOSTS.map((name) => nameOf('MX_HOSTS', name)),
    spfInclude: values.SPF_INCLUDE === undefined ? null : nameOf('SPF_INCLUDE', values.SPF_INCLUDE),
    testDomain: nameOf('TEST_DOMAIN', values.TEST_DOMAIN ?? `simulator.${called}`),
    systemFrom,
    tls: certFile === undefined || keyFile === undefined ? null : { certFile, keyFile },
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return names
}

const DOMAIN = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/

const toDomain = (given: string): string | null => {
  const name = domainToASCII(given.replace(/\.$/, '')).toLowerCase()
  return name.length <= 253 && DOMAIN.test(name) ? name : null
}

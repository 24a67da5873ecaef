import { hostname } from 'node:os'
import { domainToASCII } from 'node:url'
import { host, list, path, text } from '@stoa/kit/config/kinds.ts'
import { ConfigError, type ConfigOf, type ConfigProblem } from '@stoa/kit/config.ts'

/** What the service is called towards other servers and clients, and the certificate for it. */
export const nameVariables = {
  MAIL_HOSTNAME: host({
    defaultText: "the machine's name",
    doc: 'The public name of this server, such as mail.example.com: in greetings, DNS records and the settings of clients.',
  }),
  MX_HOSTS: list({
    default: '',
    defaultText: 'MAIL_HOSTNAME',
    doc: 'Names of the servers that receive mail for the hosted domains, best first, with commas between them.',
  }),
  SPF_INCLUDE: host({
    doc: 'Name whose SPF record hosted domains are told to include; without it their MX hosts count.',
  }),
  TEST_DOMAIN: host({
    defaultText: 'simulator.MAIL_HOSTNAME',
    doc: 'Domain of the addresses that simulate a delivery, a bounce or a complaint.',
  }),
  SYSTEM_FROM: text({
    defaultText: 'no-reply@MAIL_HOSTNAME',
    doc: 'Sender of the mails that the service itself writes.',
  }),
  TLS_CERT_FILE: path({
    defaultText: 'self-signed in development',
    doc: 'Certificate chain for MAIL_HOSTNAME as PEM; read again when the file changes. Production needs it.',
  }),
  TLS_KEY_FILE: path({ defaultText: 'self-signed in development', doc: 'Private key of that certificate as PEM.' }),
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
    if (name === null) problems.push({ name: variable, problem: 'Give a host name such as mail.example.com.' })
    return name ?? ''
  }
  // A machine's own name may be anything; nothing depends on it before a real one is set.
  const own = values.MAIL_HOSTNAME === undefined ? (toDomain(hostname()) ?? 'localhost') : undefined
  const called = own ?? nameOf('MAIL_HOSTNAME', values.MAIL_HOSTNAME ?? '')
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = values
  if ((certFile === undefined) !== (keyFile === undefined))
    problems.push({
      name: certFile === undefined ? 'TLS_CERT_FILE' : 'TLS_KEY_FILE',
      problem: 'Give both the certificate and its key, or neither.',
    })
  const systemFrom = values.SYSTEM_FROM ?? `no-reply@${called}`
  if (!/^[^\s@<>"]{1,64}@[^\s@<>"]{1,253}$/.test(systemFrom))
    problems.push({ name: 'SYSTEM_FROM', problem: 'Give an address such as no-reply@mail.example.com.' })
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

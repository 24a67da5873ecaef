import { type Acme, acmeVariables, readAcme } from '@stoa/kit/config/acme.ts'
import { type AcmeDns, acmeDnsVariables, readAcmeDns } from '@stoa/kit/config/acme-dns.ts'
import { type DnsApiBases, dnsVariables, readDnsApiBases } from '@stoa/kit/config/dns-apis.ts'
import { hostPortList, optionalPort, path } from '@stoa/kit/config/kinds.ts'
import { ConfigError, type ConfigOf, type Environment } from '@stoa/kit/config.ts'
import type { CertificateFiles } from '@stoa/kit/tls/files.ts'

/** Https without a proxy, and where its certificate comes from. */
export const httpsVariables = {
  HTTPS_PORT: optionalPort({
    default: '',
    doc: 'Port for https without a proxy, like 443. Leave empty if a proxy does this.',
  }),
  TLS_CERT_FILE: path({
    defaultText: 'self-signed in development',
    doc: 'PEM file with the certificate chain for the host of PUBLIC_URL. Reloaded when the file changes. In production, HTTPS_PORT needs it, or ACME.',
  }),
  TLS_KEY_FILE: path({
    defaultText: 'self-signed in development',
    doc: 'PEM file with the private key of the certificate.',
  }),
  ...acmeVariables,
  ...acmeDnsVariables,
  HTTP_CHALLENGE_PORT: optionalPort({
    default: '80',
    doc: 'With ACME on: port where the certificate authority checks the host of PUBLIC_URL. Other requests are redirected to https. 0 turns it off.',
  }),
  DNS_RESOLVERS: hostPortList({ defaultPort: 53 })({
    default: '',
    defaultText: "the system's",
    doc: 'Comma-separated DNS resolvers, as IP address or host name, optionally with a port, for certificates that are proven with a DNS record.',
  }),
  ...dnsVariables,
}

export type Https = {
  /** Null: https is somebody else's. */
  readonly httpsPort: number | null
  /** The operator's own certificate. */
  readonly tls: CertificateFiles | null
  /** Null: certificates are not ordered. */
  readonly acme: Acme | null
  readonly challengePort: number | null
  /** Null: the site's name is proven over HTTP. */
  readonly acmeDns: AcmeDns | null
  readonly dnsApiBases: DnsApiBases
  readonly dnsResolvers: readonly string[]
}

/** Throws ConfigError. */
export const readHttps = (values: ConfigOf<typeof httpsVariables>, environment: Environment): Https => {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, HTTPS_PORT: httpsPort } = values
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new ConfigError([
      {
        name: certFile === undefined ? 'TLS_CERT_FILE' : 'TLS_KEY_FILE',
        problem: 'Set both the certificate and its key, or neither.',
      },
    ])
  const tls = certFile === undefined || keyFile === undefined ? null : { certFile, keyFile }
  const acme = readAcme(values)
  if (httpsPort !== null && environment === 'production' && !tls && !acme)
    throw new ConfigError([{ name: 'TLS_CERT_FILE', problem: 'HTTPS_PORT needs a certificate. Set it, or ACME=on.' }])
  return {
    httpsPort,
    tls,
    acme,
    challengePort: values.HTTP_CHALLENGE_PORT,
    acmeDns: readAcmeDns(values),
    dnsApiBases: readDnsApiBases(values),
    dnsResolvers: values.DNS_RESOLVERS,
  }
}

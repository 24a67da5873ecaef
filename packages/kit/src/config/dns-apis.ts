import { type DnsProviderId, type PublishProvider, publishProviders } from '@stoa/mail-model/dns-providers/index.ts'
import type { ConfigOf } from '../config.ts'
import { url } from './kinds.ts'

type Name = `DNS_API_BASE_${Uppercase<DnsProviderId>}`

// `toUpperCase` does what `Uppercase` says.
const variableOf = (id: DnsProviderId): Name => `DNS_API_BASE_${id.toUpperCase()}` as Name

const baseOf = ({ name, apiBase }: PublishProvider) =>
  url('https', 'http')({ defaultText: apiBase, doc: `URL of ${name}'s DNS API, if you use a proxy.` })

/** The APIs that DNS records are published through. */
export const dnsVariables = Object.fromEntries(
  publishProviders.map((provider) => [variableOf(provider.id), baseOf(provider)]),
) as Record<Name, ReturnType<typeof baseOf>>

/** Base URLs by the provider's id; providers that are not in the map have their default. */
export type DnsApiBases = ReadonlyMap<string, string>

export const readDnsApiBases = (values: ConfigOf<typeof dnsVariables>): DnsApiBases =>
  new Map(
    publishProviders.flatMap(({ id }) => {
      const address = values[variableOf(id)]
      return address === undefined ? [] : [[id, address] as const]
    }),
  )

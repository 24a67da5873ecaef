import { reply } from '@stoa/kit/http/route.ts'
import { deleteQuery } from '@stoa/mail-model/deleted.ts'
import { dnsProvider, dnsPublish, dnsRecordSet, publishInput } from '@stoa/mail-model/dns.ts'
import {
  dkimKey,
  dkimKeyDeleted,
  dkimKeyList,
  dkimKeyListQuery,
  domainDeleted,
  domainInput,
  domainList,
  domainListQuery,
  domainUpdateInput,
  domainWithRecords,
  fallbackInput,
  reportList,
  reportListQuery,
} from '@stoa/mail-model/domains.ts'
import { z } from 'zod'
import { route } from '../../context.ts'
import { loadDomain } from '../../hosting/domains/domains.ts'
import { getReports } from '../../receiving/reports/reports.ts'
import { detectProvider, publishRecords } from '../dns-publish/dns-publish.ts'
import {
  addDomain,
  addFurtherKey,
  changeDomain,
  checkNow,
  deleteKey,
  getDomains,
  getKeys,
  getRecordSet,
  getZone,
  loadDomainOfKey,
  loadPublishable,
  readDomain,
  removeDomain,
  switchKey,
} from './panel.ts'

const params = z.object({ domain_id: z.uuid() })
const keyParams = params.extend({ key_id: z.uuid() })
const panel = { auth: ['session'], access: 'account' } as const
const one = { ...panel, params, load: loadDomain } as const

export const domainRoutes = [
  route({
    ...panel,
    method: 'GET',
    path: '/api/domains',
    summary: 'Domains',
    query: domainListQuery,
    output: domainList,
    run: (ctx, { query }) => getDomains(ctx, query),
  }),
  route({
    ...panel,
    method: 'POST',
    path: '/api/domains',
    summary: 'Add a domain',
    body: domainInput,
    output: domainWithRecords,
    status: 201,
    run: (ctx, { body }) => addDomain(ctx, body.name),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/api/domains/:domain_id',
    summary: 'Read a domain with its DNS records',
    output: domainWithRecords,
    run: (ctx, { loaded }) => readDomain(ctx, loaded),
  }),
  route({
    ...one,
    method: 'PATCH',
    path: '/api/domains/:domain_id',
    summary: 'Update a domain',
    body: domainUpdateInput,
    output: domainWithRecords,
    run: (ctx, { params, body }) => changeDomain(ctx, params.domain_id, body),
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/api/domains/:domain_id',
    summary:
      'Delete a domain with its addresses and their mail; with purge=1 permanently, otherwise it can be restored for 7 days',
    query: deleteQuery,
    output: domainDeleted,
    run: (ctx, { params, query }) => removeDomain(ctx, params.domain_id, query),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/api/domains/:domain_id/dns',
    summary: 'The DNS records of a domain, each with its status',
    output: dnsRecordSet,
    run: (ctx, { loaded }) => getRecordSet(ctx, loaded),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/api/domains/:domain_id/dns/zone',
    summary: 'The DNS records of a domain as a zone file',
    output: 'raw',
    describes: { type: 'text/plain' },
    run: async (ctx, { loaded }) =>
      reply(await getZone(ctx, loaded), {
        contentType: 'text/plain; charset=utf-8',
        headers: { 'content-disposition': `attachment; filename="${loaded.name}.zone"` },
      }),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/api/domains/:domain_id/dns/provider',
    summary: 'Detect the DNS provider of a domain',
    output: dnsProvider,
    run: (ctx, { loaded }) => detectProvider(ctx.parts, loaded.name),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/api/domains/:domain_id/dns/publish',
    summary: "Publish the DNS records through the provider's API; the token is used for this call only",
    load: loadPublishable,
    body: publishInput,
    output: dnsPublish,
    run: (ctx, { loaded, body }) => publishRecords(ctx, loaded, body),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/api/domains/:domain_id/check',
    summary: 'Check the DNS records now',
    output: dnsRecordSet,
    run: (ctx, { params }) => checkNow(ctx, params.domain_id),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/api/domains/:domain_id/keys',
    summary: 'DKIM keys',
    query: dkimKeyListQuery,
    output: dkimKeyList,
    run: (ctx, { loaded, query }) => getKeys(ctx, loaded, query),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/api/domains/:domain_id/keys',
    summary: 'Add a DKIM key',
    output: dkimKey,
    status: 201,
    run: (ctx, { loaded }) => addFurtherKey(ctx, loaded),
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/api/domains/:domain_id/keys/:key_id',
    summary: "Delete a DKIM key that isn't active",
    params: keyParams,
    output: dkimKeyDeleted,
    load: loadDomainOfKey,
    run: (ctx, { loaded, params }) => deleteKey(ctx, loaded, params.key_id),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/api/domains/:domain_id/keys/:key_id/activate',
    summary: 'Activate a DKIM key',
    params: keyParams,
    output: dkimKey,
    load: loadDomainOfKey,
    run: (ctx, { loaded, params }) => switchKey(ctx, loaded, params.key_id),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/api/domains/:domain_id/fallback',
    summary: 'Set the fallback domain',
    body: fallbackInput,
    output: domainWithRecords,
    run: (ctx, { params, body }) => changeDomain(ctx, params.domain_id, body),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/api/domains/:domain_id/reports',
    summary: 'DMARC and TLS reports of a domain',
    query: reportListQuery,
    output: reportList,
    run: (ctx, { loaded, query }) => getReports(ctx, loaded.id, query),
  }),
]

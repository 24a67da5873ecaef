import { type Settings, settings, updateSettingsInput } from '@stoa/cms-model/settings.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { reply } from '@stoa/kit/http/route.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { wantedVersion } from '../../version-conflict.ts'
import { readSettings, updateSettings } from './settings.ts'

const record = (saved: Settings) => reply(saved, { etag: versionEtag(saved.version) })

export const settingsRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/settings',
    summary: 'Read the site settings',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    output: settings,
    run: async (ctx) => record(await readSettings(ctx.db)),
  }),
  route({
    method: 'PUT',
    path: '/api/settings',
    summary: "Update the site settings; a language that entries use can't be removed",
    auth: ['session', 'agent'],
    access: needs('settings.manage'),
    body: updateSettingsInput,
    output: settings,
    run: async (ctx, { body, request }) =>
      record(await updateSettings(ctx, body, wantedVersion(request, body.version))),
  }),
]

import {
  type VisitorSettings,
  visitorAnswer,
  visitorQuestionInput,
  visitorQuestionList,
  visitorQuestionQuery,
  visitorSettings,
  visitorSettingsInput,
  visitorUsage,
} from '@stoa/cms-model/visitor.ts'
import { strongEtag, versionEtag } from '@stoa/kit/http/etag.ts'
import { contentDisposition } from '@stoa/kit/http/ranges.ts'
import { PUBLIC, reply } from '@stoa/kit/http/route.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { needs, OPEN, type Route, route } from '../../people/access/access.ts'
import { deliveryOf } from '../../principal.ts'
import { wantedVersion } from '../../version-conflict.ts'
import { answerQuestion } from './answer.ts'
import { asVisitor, countOfKey, readVisitorUsage } from './limits.ts'
import { clearQuestions, exportQuestions, showQuestions } from './questions.ts'
import { readVisitorSettings, updateVisitorSettings } from './settings.ts'
import { VISITOR_SURFACE, WIDGET_SURFACE } from './surfaces.ts'
import { widgetSource } from './widget/widget.ts'

const MAX_BODY = 16 * 1024
const ASK_PATH = '/ext/assistant/public-ask'
/** A page that was open when the settings changed shows them within five minutes. */
const WIDGET_CACHE = 'public, max-age=300'

/** For people only, as everything that spends the AI provider's budget. */
const BY_PEOPLE = { auth: ['session'] } as const

const enabled = async ({ visitor }: Pick<Ctx, 'visitor'>): Promise<VisitorSettings> => {
  const settings = await visitor.read()
  return settings.enabled ? settings : fail('ASSISTANT_DISABLED')
}

const record = (settings: VisitorSettings) => reply(settings, { etag: versionEtag(settings.version) })

export const visitorRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/ext/assistant/ask',
    summary:
      "Answer a visitor's question from the published content that the key can read; for servers that relay questions",
    auth: ['delivery'],
    access: OPEN,
    bodyLimit: MAX_BODY,
    body: visitorQuestionInput,
    output: visitorAnswer,
    load: (ctx) => enabled(ctx),
    run: async (ctx, { body, loaded }) => {
      const { keyId, types } = deliveryOf(ctx)
      await countOfKey(ctx, keyId, loaded.dailyLimit)
      return answerQuestion(ctx, { input: body, settings: loaded, types })
    },
  }),
  route({
    method: 'POST',
    path: ASK_PATH,
    summary: "Answer a visitor's question from pages of the allowed websites, without a key",
    auth: PUBLIC,
    access: OPEN,
    crossOrigin: true,
    surface: VISITOR_SURFACE,
    bodyLimit: MAX_BODY,
    body: visitorQuestionInput,
    output: visitorAnswer,
    // A page of another website gets no details about what it sent.
    admit: async (ctx, request) => {
      const { origins } = await enabled(ctx)
      if (!origins.includes(request.header('origin') ?? '')) fail('ORIGIN_NOT_ALLOWED')
    },
    load: (ctx) => enabled(ctx),
    run: async (ctx, { body, loaded, request }) => {
      const { types, dailyLimit } = loaded
      return asVisitor(ctx, request.limitKey, dailyLimit, () =>
        answerQuestion(ctx, { input: body, settings: loaded, types }),
      )
    },
  }),
  route({
    method: 'GET',
    path: '/ext/assistant/widget.js',
    summary: 'Script of the chat bubble; 404 while the visitor assistant is off',
    auth: PUBLIC,
    access: OPEN,
    crossOrigin: true,
    surface: WIDGET_SURFACE,
    output: 'raw',
    describes: { type: 'text/javascript' },
    run: async (ctx) => {
      const { label, greeting, accent, position } = await enabled(ctx)
      const endpoint = new URL(ASK_PATH, ctx.config.publicUrl).href
      const source = widgetSource({ label, greeting, accent, position, endpoint })
      return reply(source, {
        etag: strongEtag(source),
        contentType: 'text/javascript; charset=utf-8',
        headers: { 'cache-control': WIDGET_CACHE },
      })
    },
  }),
  route({
    ...BY_PEOPLE,
    method: 'GET',
    path: '/api/assistant/visitor',
    summary: 'Read the settings of the visitor assistant',
    access: needs('settings.manage'),
    output: visitorSettings,
    run: async (ctx) => record(await readVisitorSettings(ctx)),
  }),
  route({
    ...BY_PEOPLE,
    method: 'PUT',
    path: '/api/assistant/visitor',
    summary:
      'Update the settings of the visitor assistant; turning it on requires a connected AI provider and at least one content type',
    access: needs('settings.manage'),
    body: visitorSettingsInput,
    output: visitorSettings,
    run: async (ctx, { body: { version, ...members }, request }) =>
      record(await updateVisitorSettings(ctx, members, wantedVersion(request, version))),
  }),
  route({
    ...BY_PEOPLE,
    method: 'GET',
    path: '/api/assistant/visitor/usage',
    summary: 'Read the number of questions today (UTC) and the daily limit',
    access: needs('settings.manage'),
    output: visitorUsage,
    run: async (ctx) => readVisitorUsage(ctx, (await readVisitorSettings(ctx)).dailyLimit),
  }),
  route({
    ...BY_PEOPLE,
    method: 'GET',
    path: '/api/assistant/visitor/questions',
    summary: "List visitors' questions, last asked first; format=csv exports up to 10,000 of them",
    access: needs('content.read'),
    query: visitorQuestionQuery,
    output: 'raw',
    describes: { output: visitorQuestionList },
    run: async (ctx, { query }) => {
      if (query.format === 'csv')
        return reply(await exportQuestions(ctx, query), {
          contentType: 'text/csv; charset=utf-8',
          headers: { 'content-disposition': contentDisposition('attachment', 'visitor-questions.csv') },
        })
      return reply(JSON.stringify(visitorQuestionList.parse(await showQuestions(ctx, query))), {
        contentType: 'application/json; charset=utf-8',
      })
    },
  }),
  route({
    ...BY_PEOPLE,
    method: 'DELETE',
    path: '/api/assistant/visitor/questions',
    summary: "Delete all visitors' questions",
    access: needs('settings.manage'),
    output: 'empty',
    run: async (ctx) => {
      await clearQuestions(ctx)
      return undefined
    },
  }),
]

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Proposal } from '@stoa/cms-model/assistant.ts'
import { visualDefinitions } from '@stoa/cms-model/visual.ts'
import { AppError } from '@stoa/kit/errors.ts'
import type { CmsAnswer, Person } from '@stoa/tests/lib/cms.ts'
import type { Json } from '../../people/call-route/call-route.ts'
import { openPluginDir, type PluginDir } from '../../plugins/folder/testing/plugin-dir.ts'
import { moduleSandboxes } from '../../plugins/running/testing/module-sandbox.ts'
import { testNetwork } from '../../social/networks/testing/test-network.ts'
import { reachOf } from '../tools/testing/reach-of.ts'
import { proposedRoutes, proposeTools, tools } from '../tools/tools.ts'
import { type Case, type CaseGround, caseGround } from './testing/case.ts'
import { contentCases } from './testing/content-cases.ts'
import { type Proposing, startProposing } from './testing/proposing.ts'
import { insertSocialAccount, proposalText, tableTexts } from './testing/queries.ts'
import { argsAbout, COLUMNS, OUTCOMES, READ_ARGS } from './testing/role-cases.ts'
import { siteCases } from './testing/site-cases.ts'

let site: Proposing
let dir: PluginDir
let ground: CaseGround
let cases: Record<string, Case>
before(async () => {
  dir = await openPluginDir()
  await dir.write('plan', {
    label: 'Plan',
    permissions: ['content.read'],
    settings: [
      { key: 'note', type: 'text', label: 'Note' },
      { key: 'token', type: 'secret', label: 'Token' },
    ],
  })
  site = await startProposing({
    env: { PLUGIN_DIR: dir.path, WEBHOOK_ALLOW_PRIVATE: 'true' },
    createSandbox: moduleSandboxes().create,
    socialNetworks: { demo: testNetwork() },
    visual: visualDefinitions.parse({
      page: { sections: ['news', 'team'].map((id) => ({ id, label: `The ${id}`, selector: `#${id}` })) },
    }),
    design: {
      surfaces: [
        {
          id: 'page',
          label: 'Page',
          selector: ':root',
          properties: [
            { key: 'accent', label: 'Accent', type: 'color', css: '--accent', default: '#000000' },
            { key: 'ground', label: 'Ground', type: 'color', css: '--ground', default: '#ffffff' },
          ],
        },
      ],
    },
  })
  await site.addTaxonomy('tags', ['red', 'blue'])
  const account = await site.cms.database.tx((tx) => insertSocialAccount(tx, 'demo', site.clock.now()))
  ground = caseGround(site, account)
  cases = { ...contentCases(ground), ...siteCases(ground) }
})
after(async () => {
  await site.close()
  await dir.close()
})

const caseOf = (tool: string): Case => {
  const found = cases[tool]
  assert.ok(found, `there is no case for ${tool}`)
  return found
}

const tables = () => site.cms.database.tx(tableTexts)

/** Sends the requests of a proposal one after the other; later ones get their address from earlier answers. */
const applyAll = async (proposal: Proposal, adds: object | undefined): Promise<CmsAnswer[]> => {
  const answers: CmsAnswer[] = []
  for (const index of proposal.requests.keys()) {
    const now = await site.show(site.admin, proposal.id)
    const body = adds ? { ...now.requests[index]?.body, ...adds } : undefined
    const answer = await site.apply(site.admin.client, now, { index, ...(body && { body }) })
    assert.ok(answer.status < 300, answer.text)
    answers.push(answer)
  }
  return answers
}

describe('what a tool proposes', () => {
  for (const { name: tool } of proposeTools)
    test(`${tool}: changes nothing until it is applied, and then what it said`, async () => {
      const { prepare, refused } = caseOf(tool)
      const { args, expect, adds, verb, risk, paths } = await prepare()
      const earlier = await tables()
      const proposal = await site.propose(site.admin, tool, args)
      assert.deepEqual(await tables(), earlier)
      assert.deepEqual(
        [proposal.status, proposal.applicable, proposal.whyNot, proposal.stale, proposal.conflicts],
        ['proposed', true, null, false, []],
      )
      assert.deepEqual([proposal.verb, proposal.risk], [verb, risk])
      assert.deepEqual(
        proposal.changes.map(({ path }) => path),
        paths,
      )
      const answers = await applyAll(proposal, adds)
      await expect(answers)
      const applied = await site.show(site.admin, proposal.id)
      assert.deepEqual([applied.status, applied.edited], ['applied', false])
      assert.ok(applied.requests.every(({ done }) => done))
      const activity = await site.admin.client.get('/api/activity?limit=1')
      const [{ via, actor }] = activity.body.items
      assert.deepEqual([via, actor.id], ['assistant', site.admin.id])
      const again = await site.apply(site.admin.client, applied)
      assert.equal(again.body.code, 'PROPOSAL_CLOSED')
      await refuses(tool, await refused())
    })

  const refuses = async (tool: string, [args, code, key]: Awaited<ReturnType<Case['refused']>>) => {
    const earlier = await tables()
    const proposals = await site.cms.database.tx(proposalText)
    const refusal = await site.call(site.admin, tool, args)
    assert.ok(refusal instanceof AppError, 'it was proposed')
    assert.equal(refusal.code, code)
    if (key !== undefined) {
      const { fields } = refusal.details as { fields: { key: string }[] }
      assert.deepEqual(
        fields.map((field) => field.key),
        [key],
      )
    }
    assert.deepEqual(await tables(), earlier)
    assert.equal(await site.cms.database.tx(proposalText), proposals)
  }
})

describe('who can do what', () => {
  /** One word for what came of it, as the table has it. */
  const outcomeFor = async (person: Person, tool: string, args: object): Promise<string> => {
    const asked = (tool.startsWith('propose_') ? { ...args, reason: 'Because' } : args) as Json
    const { content, outcome } = await reachOf(site, person).run(tool, asked)
    if (outcome?.kind === 'proposal') return (await site.propose(person, tool, args)).applicable ? 'yes' : 'card'
    const { code, entries } = JSON.parse(content)
    if (code === undefined) return tool === 'list_trash' && entries.length === 0 ? 'no' : 'yes'
    assert.match(code, /^(unknown_tool|FORBIDDEN|NOT_FOUND)$/, `${tool}: ${content}`)
    return code === 'unknown_tool' ? '-' : 'no'
  }

  before(() => site.addType('page', [{ key: 'headline', type: 'text' }]))

  for (const { name: tool } of tools)
    test(`${tool}: ${COLUMNS.join(' / ')}: ${OUTCOMES[tool]}`, async () => {
      const [foreign, own] = [argsAbout(ground, site.editor)[tool], argsAbout(ground, site.author)[tool]]
      const general = foreign ? null : ((await cases[tool]?.prepare())?.args ?? READ_ARGS[tool] ?? {})
      // What an earlier tool of the table left in the author's trash.
      if (tool === 'list_trash') await emptyTrash()
      const theirs = general ?? (await foreign?.()) ?? {}
      const outcomes: string[] = []
      for (const role of ['viewer', 'author'] as const) outcomes.push(await outcomeFor(site[role], tool, theirs))
      const mine = general ?? (await own?.()) ?? {}
      outcomes.push(await outcomeFor(site.author, tool, mine))
      const earlier = await tables()
      for (const role of ['editor', 'admin'] as const) outcomes.push(await outcomeFor(site[role], tool, theirs))
      assert.equal(outcomes.join(' '), OUTCOMES[tool])
      assert.deepEqual(await tables(), earlier)
    })

  const emptyTrash = async () => {
    const { status, text } = await site.admin.client.delete('/api/trash')
    assert.ok(status < 300, text)
  }

  test('an author may ask for what only an editor can do with a draft of the author’s', async () => {
    const { author, editor } = site
    const own = await site.add(author.client, { type: 'article', title: 'Mine', data: { summary: 'x' } })
    const card = await site.propose(author, 'propose_entry_status', { entryId: own.id, action: 'publish' })
    assert.deepEqual([card.applicable, card.whyNot, card.status], [false, 'Needs an editor', 'proposed'])
    const answer = await site.apply(author.client, card)
    assert.equal(answer.body.code, 'FORBIDDEN')
    assert.equal((await site.read(own.id)).status, 'draft')

    const update = await site.propose(author, 'propose_entry_update', { entryId: own.id, title: 'Better' })
    assert.equal(update.applicable, true)

    const other = await site.add(editor.client, { type: 'article', title: 'Not mine', data: { summary: 'x' } })
    const empty = await site.add(author.client, { type: 'article', title: 'Incomplete' })
    const cases: [id: string, action: string, code: string][] = [
      [other.id, 'publish', 'FORBIDDEN'],
      [other.id, 'draft', 'FORBIDDEN'],
      [empty.id, 'publish', 'VALIDATION_FAILED'],
      [own.id, 'unpublish', 'INVALID_STATE'],
    ]
    for (const [entryId, action, code] of cases) {
      const refusal = await site.call(author, 'propose_entry_status', { entryId, action })
      assert.ok(refusal instanceof AppError && refusal.code === code, `${action}: ${JSON.stringify(refusal)}`)
    }
  })

  test('an author may ask for a post at a time', async () => {
    const { args } = await caseOf('propose_social_post').prepare()
    const card = await site.propose(site.author, 'propose_social_post', args)
    assert.deepEqual([card.applicable, card.whyNot], [false, 'Needs an editor'])
  })
})

test('a plugin that does not start was not switched on', async () => {
  await dir.write('broken', {}, { 'server.js': `throw new Error('no')` })
  const proposal = await site.propose(site.admin, 'propose_plugin_state', { plugin: 'broken', enabled: true })
  const answer = await site.apply(site.admin.client, proposal)
  assert.equal(answer.body.code, 'INVALID_STATE', answer.text)
  const card = await site.show(site.admin, proposal.id)
  assert.deepEqual([card.status, card.requests[0]?.done], ['proposed', false])
})

test('each of their requests is of a route that takes the header, and no other route does', async () => {
  const paths = [...proposedRoutes]
  assert.equal(paths.length, 26)
  const declared = site.cms.routes.map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(
    paths.filter((path) => !declared.includes(path)),
    [],
  )
})

test('a layout is shown as the order of the page, and names only sections that it has', async () => {
  const { id } = await site.add(site.editor.client, { type: 'page', title: 'Home' })
  const layout = { order: ['team', 'news'], hidden: ['news'] }
  const proposal = await site.propose(site.editor, 'propose_entry_update', { entryId: id, data: { __layout: layout } })
  const shown = (ids: [id: string, hidden: boolean][]) =>
    ids.map(([section, hidden]) => ({ id: section, label: `The ${section}`, hidden }))
  assert.deepEqual(
    proposal.changes.map(({ path, view, before, after }) => ({ path, view, before, after })),
    [
      {
        path: 'data.__layout',
        view: 'layout',
        before: shown([
          ['news', false],
          ['team', false],
        ]),
        after: shown([
          ['team', false],
          ['news', true],
        ]),
      },
    ],
  )
  assert.deepEqual([proposal.stale, proposal.conflicts], [false, []])
  assert.equal((await site.apply(site.editor.client, proposal)).status, 200)
  assert.deepEqual((await site.read(id)).data.__layout, layout)
  const unknown = { entryId: id, data: { __layout: { order: ['nope'] } } }
  const refusal = await site.call(site.editor, 'propose_entry_update', unknown)
  assert.ok(refusal instanceof AppError && refusal.code === 'UNKNOWN_SECTION')
})

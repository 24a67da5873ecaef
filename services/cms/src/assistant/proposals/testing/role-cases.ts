import assert from 'node:assert/strict'
import type { Person } from '@stoa/tests/lib/cms.ts'
import type { CaseGround } from './case.ts'

/** The people whose outcomes a row of the table has, in its order. */
export const COLUMNS = ['viewer', 'author', 'author, own', 'editor', 'admin'] as const

/**
 * What comes of a call for each of them: `yes` it is read or can be applied; `card` it is proposed, for somebody else to apply;
 * `no` the thing is refused to them; `-` there is no such tool for them. `own` are things that the person made.
 */
export const OUTCOMES: Readonly<Record<string, string>> = {
  list_content_types: 'yes yes yes yes yes',
  list_entries: 'yes yes yes yes yes',
  search_site: 'yes yes yes yes yes',
  get_entry: 'yes yes yes yes yes',
  list_revisions: 'yes yes yes yes yes',
  list_trash: '- no yes yes yes',
  list_media: 'yes yes yes yes yes',
  list_taxonomies: 'yes yes yes yes yes',
  get_site_settings: 'yes yes yes yes yes',
  get_design: '- - - - yes',
  list_menus: 'yes yes yes yes yes',
  list_plugins: '- - - - yes',
  list_people: '- - - - yes',
  list_delivery_keys: '- - - - yes',
  list_webhooks: '- - - - yes',
  get_social_setup: '- - - - yes',
  get_social_guide: '- - - - yes',
  list_social_posts: '- yes yes yes yes',
  get_page_layout: 'yes yes yes yes yes',
  propose_entry_update: '- no yes yes yes',
  propose_revision_restore: '- no yes yes yes',
  propose_entry_untrash: '- no yes yes yes',
  propose_entry_create: '- yes yes yes yes',
  propose_entry_status: '- no card yes yes',
  propose_entry_delete: '- no yes yes yes',
  propose_entry_terms: '- no yes yes yes',
  propose_type_update: '- - - - yes',
  propose_type_create: '- - - - yes',
  propose_media_update: '- no yes yes yes',
  propose_taxonomy_create: '- - - yes yes',
  propose_term_create: '- - - yes yes',
  propose_settings_update: '- - - - yes',
  propose_design_change: '- - - - yes',
  propose_menu_update: '- - - yes yes',
  propose_menu_create: '- - - yes yes',
  propose_menu_delete: '- - - yes yes',
  propose_plugin_state: '- - - - yes',
  propose_plugin_settings: '- - - - yes',
  propose_person_role: '- - - - yes',
  propose_delivery_key: '- - - - yes',
  propose_webhook_create: '- - - - yes',
  propose_webhook_update: '- - - - yes',
  propose_social_app: '- - - - yes',
  propose_social_post: '- card card yes yes',
  open_screen: 'yes yes yes yes yes',
}

/** Arguments about a thing that this person made, for the tools that know whose a thing is. */
export const argsAbout = (site: CaseGround, owner: Person): Readonly<Record<string, () => Promise<object>>> => {
  const entry = async (type = 'article'): Promise<string> =>
    (await site.add(owner.client, { type, title: 'Somebody’s', data: type === 'article' ? { summary: 'x' } : {} })).id
  const about = (members: object) => async () => ({ entryId: await entry(), ...members })
  const trashed = async (): Promise<string> => {
    const id = await entry()
    const { status, text } = await owner.client.delete(`/api/entries/${id}`)
    assert.equal(status, 204, text)
    return id
  }
  return {
    get_entry: async () => ({ id: await entry() }),
    list_revisions: about({}),
    list_trash: async () => {
      await trashed()
      return {}
    },
    get_page_layout: async () => ({ entryId: await entry('page') }),
    propose_entry_update: about({ title: 'Other' }),
    propose_revision_restore: async () => {
      const entryId = await entry()
      await owner.client.put(`/api/entries/${entryId}`, { title: 'Later' })
      const { body } = await owner.client.get(`/api/entries/${entryId}/revisions`)
      return { entryId, revisionId: body.items.at(-1).id }
    },
    propose_entry_untrash: async () => ({ entryId: await trashed() }),
    propose_entry_status: about({ action: 'publish' }),
    propose_entry_delete: about({}),
    propose_entry_terms: about({ taxonomy: 'tags', terms: ['red'] }),
    propose_media_update: async () => ({ items: [{ id: await site.addMedia('image/png', owner.id), alt: 'A pier' }] }),
  }
}

/** Arguments of the tools that only read, for which it does not matter whose a thing is. */
export const READ_ARGS: Readonly<Record<string, object>> = {
  list_entries: { type: 'article' },
  search_site: { query: 'x' },
  get_social_guide: { network: 'demo' },
  open_screen: { screen: 'media' },
}

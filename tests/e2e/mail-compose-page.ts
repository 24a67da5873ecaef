import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import PostalMime, { type Email } from 'postal-mime'
import { type Mailbox, type MailSite, startMailSite } from './mail-page.ts'

export const ADA = 'ada@writes.test'
const BOB = 'bob@writes.test'

/** A service with a mailbox whose owner writes, and one beside it. Mail leaves at once unless the settings say otherwise. */
export type WritingSite = MailSite & {
  ada: Mailbox
  bob: Mailbox
  settings(members: object): Promise<void>
  /** The mail of this subject that left; fails if it left twice. */
  arrived(subject: string): Promise<{ mail: Email; to: string[] }>
  hasLeft(subject: string): Promise<boolean>
  /** Messages of a folder. */
  listed(role: string): Promise<{ id: string; subject: string; flags: { answered: boolean } }[]>
  draftsOf(subject: string): Promise<{ id: string }[]>
  textsOf(subject: string): Promise<string[]>
}

export const startWritingSite = async (): Promise<WritingSite> => {
  const site = await startMailSite()
  const owner = await site.signUp()
  const ada = await site.mailbox(owner.id, ADA)
  const bob = await site.mailbox(owner.id, BOB)
  const left = async (subject: string) => {
    const mails = site.outside.messages.filter(({ from }) => from === ADA)
    const read = await Promise.all(
      mails.map(async ({ raw, to }) => ({ mail: await PostalMime.parse(raw, { forceRfc822Attachments: true }), to })),
    )
    return read.filter(({ mail }) => mail.subject === subject)
  }
  const made: WritingSite = {
    ...site,
    ada,
    bob,
    async settings(members) {
      await ada.client.send('PATCH', '/api/mail/settings', { body: members })
    },
    async arrived(subject) {
      for (;;) {
        const count = site.outside.messages.length
        const found = await left(subject)
        assert.ok(found.length < 2, `${subject} was sent ${found.length} times`)
        if (found[0]) return found[0]
        await site.outside.waitFor(count + 1)
      }
    },
    hasLeft: async (subject) => (await left(subject)).length > 0,
    async listed(role) {
      const folders = (await ada.client.get('/api/mail/folders?per_page=100')).body.data
      const { id } = folders.find((folder: { role: string }) => folder.role === role)
      return (await ada.client.get(`/api/mail/messages?folder_id=${id}&per_page=100`)).body.data
    },
    draftsOf: async (subject) => (await made.listed('drafts')).filter((draft) => draft.subject === subject),
    async textsOf(subject) {
      const drafts = await made.draftsOf(subject)
      const found = await Promise.all(drafts.map(({ id }) => ada.client.get(`/api/mail/messages/${id}`)))
      // A draft that was replaced in between is gone
      return found.flatMap(({ status, body }) => (status === 200 ? [body.text] : []))
    },
  }
  await made.settings({ undo_seconds: 0 })
  return made
}

export const windows = (page: Page): Locator => page.locator('[data-compose-window]')
export const composer = (page: Page): Locator => windows(page).last()
export const saveLine = (page: Page, words: string): Promise<void> =>
  composer(page)
    .locator('[data-draft-line]')
    .filter({ hasText: new RegExp(`^${words}`) })
    .waitFor()
export const body = (page: Page): Locator => composer(page).getByRole('textbox', { name: 'Message' })
export const to = (page: Page): Locator => composer(page).getByRole('combobox', { name: 'To' })
export const press = (page: Page, button: string): Promise<void> =>
  composer(page).getByRole('button', { name: button, exact: true }).click()

/**
 * Opens a mail of a folder, whose list may only be coming, and gives the pane once its text is there: until then what
 * stands below it moves.
 */
export const openMail = async (page: Page, subject: string, folder = 'Inbox'): Promise<Locator> => {
  const list = page.getByRole('region', { name: folder, exact: true })
  await list.locator('[data-row]').filter({ hasText: subject }).click()
  const pane = page.getByRole('article', { name: `Conversation: ${subject}` })
  await pane.locator('iframe[data-state=ready]').waitFor()
  return pane
}

/** Opens a window with whom and what about, and goes to the text. */
export const begin = async (page: Page, { whom, subject }: { whom: string; subject: string }): Promise<void> => {
  await page.getByRole('button', { name: 'Compose' }).first().click()
  await to(page).fill(whom)
  await composer(page).getByLabel('Subject').fill(subject)
  await body(page).click()
}

export type GivenFile = { name: string; mimeType: string; buffer: Buffer }

/** Files from the desk or the clipboard. */
export const give = (target: Locator, kind: 'drop' | 'paste', files: readonly GivenFile[]): Promise<void> =>
  target.evaluate(
    (element, { kind: how, given }) => {
      const data = new DataTransfer()
      for (const { name, type, text } of given)
        data.items.add(new File([Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))], name, { type }))
      const options = { bubbles: true, cancelable: true }
      element.dispatchEvent(
        how === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: data })
          : new ClipboardEvent('paste', { ...options, clipboardData: data }),
      )
    },
    {
      kind,
      given: files.map(({ name, mimeType, buffer }) => ({ name, type: mimeType, text: buffer.toString('base64') })),
    },
  )

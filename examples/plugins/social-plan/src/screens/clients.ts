import { connect } from '@stoa/cms-plugin/bridge'
import { colours, type ShownClient } from '../client.ts'
import { accountChoices, attempt, loadContext, type PlanContext } from '../ui/context.ts'
import { checkboxes, field, find, h, messageOf, select } from '../ui/dom.ts'
import { momentText } from '../ui/words.ts'

const stoa = await connect()
const place = find('#clients')
let context: PlanContext

const showAll = (): void => {
  const row = (client: ShownClient) =>
    h(
      'tr',
      {},
      h(
        'td',
        {},
        h('span', { class: 'badge client', data: { colour: client.colour } }, ' '),
        ' ',
        h(
          'button',
          { type: 'button', class: 'link', data: { client: client.id }, on: { click: () => showForm(client) } },
          client.name,
        ),
      ),
      h('td', {}, client.contact),
      h('td', {}, client.linkAt ? `Since ${momentText(client.linkAt, stoa.context.locale)}` : 'None'),
    )
  place.replaceChildren(
    h(
      'header',
      { class: 'row spread' },
      h('h1', {}, 'Clients'),
      h(
        'div',
        { class: 'row' },
        h(
          'button',
          { type: 'button', on: { click: () => void attempt(stoa, () => stoa.navigate({ screen: 'plans' })) } },
          'Plans',
        ),
        h('button', { type: 'button', class: 'primary', on: { click: () => showForm(null) } }, 'New client'),
      ),
    ),
    context.clients.length === 0
      ? h(
          'p',
          { class: 'empty' },
          'Clients are the people you plan posts for. Each can get a link to approve plans. Create the first one.',
        )
      : h(
          'div',
          { class: 'scroll' },
          h(
            'table',
            {},
            h(
              'thead',
              {},
              h('tr', {}, ...['Name', 'Contact', 'Approval link'].map((head) => h('th', { scope: 'col' }, head))),
            ),
            h('tbody', {}, ...context.clients.map(row)),
          ),
        ),
  )
}

const reload = async (): Promise<void> => {
  context = await loadContext(stoa)
}

const showForm = (client: ShownClient | null): void => {
  const name = h('input', { value: client?.name ?? '', required: true, maxLength: 100 })
  const colour = select(
    colours.map((value) => ({ value, label: `${value.charAt(0).toUpperCase()}${value.slice(1)}` })),
    client?.colour ?? 'blue',
  )
  const contact = h('input', { value: client?.contact ?? '', maxLength: 200 })
  const note = h('textarea', { rows: 4, value: client?.note ?? '', maxLength: 5000 })
  const accounts = checkboxes('Accounts', accountChoices(context), client?.accountIds ?? [])
  const read = () => ({
    name: name.value,
    colour: colour.value,
    contact: contact.value,
    note: note.value,
    accountIds: accounts.values(),
  })
  const save = async () => {
    const saved = await (client
      ? stoa.request<ShownClient>('PUT', `/clients/${client.id}`, read())
      : stoa.request<ShownClient>('POST', '/clients', read()))
    await reload()
    showForm(saved)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    void attempt(stoa, save, client ? 'Client saved' : 'Client created')
  }
  place.replaceChildren(
    h('p', {}, h('button', { type: 'button', class: 'ghost', on: { click: () => back(client?.id) } }, '← All clients')),
    h('h1', { tabIndex: -1 }, client?.name ?? 'New client'),
    h(
      'form',
      { class: 'stack', on: { submit } },
      field('Name', name),
      field('Color', colour),
      field('Contact', contact),
      field('Note', note, 'For the team only'),
      accounts.element,
      h(
        'div',
        { class: 'row' },
        h('button', { class: 'primary' }, client ? 'Save changes' : 'Create client'),
        client &&
          h('button', { type: 'button', class: 'danger', on: { click: () => void remove(client) } }, 'Delete client'),
      ),
    ),
    ...(client ? [linkCard(client)] : []),
  )
  place.querySelector<HTMLElement>('h1')?.focus()
}

const back = (id: string | undefined): void => {
  showAll()
  place.querySelector<HTMLElement>(id ? `[data-client="${id}"]` : 'button.primary')?.focus()
}

const remove = async (client: ShownClient): Promise<void> => {
  const question = {
    title: `Delete ${client.name}?`,
    text: 'The approval link stops working.',
    button: 'Delete client',
    isDangerous: true,
  }
  if (!(await stoa.confirm(question))) return
  const action = async () => {
    await stoa.request('DELETE', `/clients/${client.id}`)
    await reload()
    back(undefined)
  }
  await attempt(stoa, action, 'Client deleted')
}

/** The link is shown when it is made and never again: only its hash is kept. */
const linkCard = (client: ShownClient): HTMLElement => {
  const result = h('div', {})
  const state = h('p', { class: 'muted' })
  const revokeButton = h('button', { type: 'button', class: 'danger' }, 'Revoke link')
  const createButton = h('button', { type: 'button' })
  const show = (linkAt: string | null) => {
    state.textContent = linkAt
      ? `A link has been active since ${momentText(linkAt, stoa.context.locale)}.`
      : 'There is no link.'
    createButton.textContent = linkAt ? 'Replace link' : 'Create link'
    revokeButton.hidden = linkAt === null
  }
  createButton.addEventListener('click', () => {
    void attempt(
      stoa,
      async () => {
        const { token } = await stoa.request<{ token: string }>('POST', `/clients/${client.id}/link`)
        await reload()
        show(new Date().toISOString())
        showLink(result, token)
      },
      'Link created',
    )
  })
  revokeButton.addEventListener('click', () => {
    void attempt(
      stoa,
      async () => {
        await stoa.request('DELETE', `/clients/${client.id}/link`)
        await reload()
        show(null)
        result.replaceChildren()
        createButton.focus()
      },
      'Link revoked',
    )
  })
  show(client.linkAt)
  return h(
    'section',
    { class: 'card stack', aria: { label: 'Approval link' } },
    h('h2', {}, 'Approval link'),
    h(
      'p',
      {},
      'With this link the client sees plans in Review and Approved, approves them or asks for changes. No sign-in is needed: anyone with the link can do that.',
    ),
    state,
    h('div', { class: 'row' }, createButton, revokeButton),
    result,
  )
}

const showLink = (result: HTMLElement, token: string): void => {
  // After the # it is never sent to a server, and stands in no log.
  const { href } = new URL(`../pages/approve#${token}`, window.location.href)
  const input = h('input', { readOnly: true, value: href })
  input.addEventListener('focus', () => input.select())
  result.replaceChildren(field('Send this to the client', input, 'You won’t see this again. Copy it now.'))
  input.focus()
}

try {
  await reload()
  showAll()
} catch (error) {
  place.replaceChildren(
    h('p', { class: 'notice', data: { tone: 'failed' }, aria: { role: 'alert' } }, messageOf(error)),
  )
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { makeMethod, TEST_CARDS, TEST_IBANS, type TestCardName } from './cards.ts'
import { StripeFault } from './fault.ts'
import { collect } from './invoicing.ts'
import { attach } from './methods.ts'
import type { Invoice, Session } from './objects.ts'
import { matchPath } from './route.ts'
import { completeSession, expireSession } from './sessions.ts'
import { add, find, get, nowOf, type Store } from './store.ts'

type Page = { status: number; title: string; body: string } | { location: string } | { pdf: true }

/** The pages that Stripe shows to a person: checkout, the bank's confirmation, an invoice. */
export const handlePage = async (store: Store, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const [path = ''] = (request.url ?? '').split('?', 1)
  const form = request.method === 'POST' ? new URLSearchParams(await readText(request)) : undefined
  for (const [pattern, pageOf] of PAGES) {
    const id = matchPath(pattern, path)?.[0]
    if (id) return send(response, pageOf(store, id, form))
  }
  send(response, nothing('There is nothing here.'))
}

const nothing = (why: string): Page => ({ status: 404, title: 'Not found', body: `<p>${why}</p>` })

const checkoutPage = (store: Store, id: string, form: URLSearchParams | undefined): Page => {
  const session = find(store, 'checkout.session', id)
  if (!session) return nothing('There is no such checkout.')
  if (session.status === 'open' && session.expires_at <= nowOf(store)) expireSession(store, session)
  if (session.status !== 'open') {
    return { status: 200, title: 'Checkout', body: `<p>This checkout is ${session.status}.</p>` }
  }
  if (!form) return { status: 200, title: 'Checkout', body: checkoutForm(store, session) }
  const method = makeMethod(store, form.get('card') as TestCardName)
  const country = form.get('country')
  const vat = form.get('vat')
  return submit(store, session, () =>
    completeSession(store, session, { method, challenged: false, ...(country && { country }), ...(vat && { vat }) }),
  )
}

const submit = (store: Store, session: Session, complete: () => 'complete' | 'challenge'): Page => {
  try {
    return { location: complete() === 'challenge' ? `/c/confirm/${session.id}` : returnUrl(session) }
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error
    return { status: 402, title: 'Checkout', body: checkoutForm(store, session, error.body.message) }
  }
}

export const returnUrl = ({ success_url, id }: Session): string => success_url.replaceAll('{CHECKOUT_SESSION_ID}', id)

const checkoutForm = (store: Store, session: Session, problem?: string): string => {
  const secrets = store.checkouts.get(session.id)
  const price = secrets?.price ? get(store, 'price', secrets.price) : null
  const what = price
    ? `<p>${escapeHtml(get(store, 'product', price.product).name)}: ${money(price.unit_amount, price.currency)} per ${price.recurring?.interval}</p>${
        secrets?.trialEnd ? '<p>Free until the trial ends.</p>' : ''
      }`
    : '<p>Save a payment method for later.</p>'
  const country = session.automatic_tax.enabled
    ? '<label>Country <input name="country" value="DE" required pattern="[A-Z]{2}"></label>'
    : ''
  const vat = session.tax_id_collection.enabled ? '<label>VAT number <input name="vat"></label>' : ''
  const cancel = session.cancel_url ? `<p><a href="${escapeHtml(session.cancel_url)}">Back</a></p>` : ''
  const button = session.mode === 'setup' ? 'Save' : secrets?.trialEnd ? 'Start trial' : 'Subscribe'
  return `${what}${alert(problem)}<form method="post" action="/c/pay/${session.id}">${chooser()}${country}${vat}<button>${button}</button></form>${cancel}`
}

const chooser = (): string => {
  const options = Object.entries({ ...TEST_CARDS, ...TEST_IBANS }).map(
    ([name, { label }], at) =>
      `<label><input type="radio" name="card" value="${name}"${at === 0 ? ' checked' : ''}> ${escapeHtml(label)}</label>`,
  )
  return `<fieldset><legend>Payment method</legend>${options.join('<br>')}</fieldset>`
}

const challengePage = (store: Store, id: string, form: URLSearchParams | undefined): Page => {
  const session = find(store, 'checkout.session', id)
  const waiting = session && store.checkouts.get(id)?.challenged
  if (!waiting || session.status !== 'open') return nothing('There is nothing to confirm.')
  if (!form) {
    const buttons =
      '<button name="answer" value="yes">Confirm</button> <button name="answer" value="no">Refuse</button>'
    return { status: 200, title: 'Your bank', body: `<p>Confirm it.</p><form method="post">${buttons}</form>` }
  }
  if (form.get('answer') !== 'yes') {
    const problem =
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.'
    return { status: 402, title: 'Checkout', body: checkoutForm(store, session, problem) }
  }
  const method = get(store, 'payment_method', waiting)
  return submit(store, session, () => completeSession(store, session, { method, challenged: true }))
}

const invoicePage = (store: Store, id: string, form: URLSearchParams | undefined): Page => {
  const invoice = find(store, 'invoice', id)
  if (!invoice || invoice.status === 'draft') return nothing('There is no such invoice.')
  const problem = form && invoice.status === 'open' ? payInvoice(store, invoice, form) : undefined
  return { status: problem ? 402 : 200, title: 'Invoice', body: invoiceBody(invoice, problem) }
}

/** Says why not. */
const payInvoice = (store: Store, invoice: Invoice, form: URLSearchParams): string | undefined => {
  const method = add(store, makeMethod(store, form.get('card') as TestCardName))
  try {
    attach(store, method, invoice.customer)
    const refusal = collect(store, invoice, { presence: 'challenged', method, isManual: true })
    return refusal && typeof refusal === 'object' ? refusal.message : undefined
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error
    return error.body.message
  }
}

const pdfPage = (store: Store, id: string): Page =>
  find(store, 'invoice', id) ? { pdf: true } : nothing('There is no such invoice.')

const PAGES: readonly (readonly [string, (store: Store, id: string, form: URLSearchParams | undefined) => Page])[] = [
  ['/c/pay/:', checkoutPage],
  ['/c/confirm/:', challengePage],
  ['/i/:', invoicePage],
  ['/i/:/pdf', pdfPage],
]

const invoiceBody = (invoice: Invoice, problem?: string): string =>
  `<p>${escapeHtml(invoice.number ?? '')}: ${money(invoice.total, invoice.currency)}, ${invoice.status}</p>${alert(problem)}${
    invoice.status === 'open' ? `<form method="post">${chooser()}<button>Pay</button></form>` : ''
  }`

const alert = (problem: string | undefined): string => (problem ? `<p role="alert">${escapeHtml(problem)}</p>` : '')

const money = (cents: number, currency: string): string => `${(cents / 100).toFixed(2)} ${currency.toUpperCase()}`

const send = (response: ServerResponse, page: Page): void => {
  if ('location' in page) {
    response.writeHead(303, { location: page.location }).end()
    return
  }
  if ('pdf' in page) {
    response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.4\n%%EOF\n')
    return
  }
  const { status, title, body } = page
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
  response.end(
    `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`,
  )
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const MAX_FORM = 64 * 1024

const readText = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) {
    text += chunk
    if (text.length > MAX_FORM) throw new Error('larger than a form')
  }
  return text
}

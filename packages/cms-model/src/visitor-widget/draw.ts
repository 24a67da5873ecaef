import type { WidgetParts } from './types.ts'

export const drawFrame: WidgetParts['drawFrame'] = ({ make, drawIcon, readableOn }, { words, look, language }) => {
  const label = look.label || words.label
  const talk = drawIcon('M21 12a8 8 0 0 1-8 8H4l1.6-3.2A8 8 0 1 1 21 12M9 12h.01M13 12h.01M17 12h.01')
  const shut = drawIcon('M6 6l12 12M18 6 6 18')
  talk.classList.add('talk')
  shut.classList.add('shut')
  const button = make(
    'button',
    { class: 'bubble', type: 'button', 'aria-expanded': 'false', 'aria-controls': 'panel', 'aria-haspopup': 'dialog' },
    talk,
    shut,
    make('span', {}, label),
  )
  const close = make(
    'button',
    { class: 'plain', type: 'button', 'aria-label': words.close },
    drawIcon('M6 6l12 12M18 6 6 18'),
  )
  const log = make('div', { class: 'log', role: 'log', 'aria-live': 'polite', 'aria-label': label, tabindex: '0' })
  const input = make('textarea', {
    id: 'question',
    rows: '1',
    maxlength: '500',
    enterkeyhint: 'send',
    placeholder: words.input,
  })
  const send = make(
    'button',
    { class: 'send', type: 'submit', 'aria-label': words.send },
    drawIcon('M12 19V5M5 12l7-7 7 7'),
  )
  const form = make('form', {}, make('label', { class: 'spoken', for: 'question' }, words.input), input, send)
  const panel = make(
    'div',
    { class: 'panel', id: 'panel', role: 'dialog', 'aria-label': label, hidden: '' },
    make('header', {}, make('h2', {}, label), close),
    log,
    form,
  )
  // A page that is always dark, or never, says so; for others the visitor's system decides
  const scheme = getComputedStyle(document.documentElement).colorScheme.replace('only ', '')
  const root = make('div', { class: `root ${look.position} ${scheme}`, lang: language }, panel, button)
  root.style.setProperty('--accent', look.accent)
  root.style.setProperty('--on-accent', readableOn(look.accent))
  return { root, button, panel, close, log, form, input }
}

export const drawMessage: WidgetParts['drawMessage'] = ({ make }, from, text) =>
  make('div', { class: `message ${from}`, dir: 'auto' }, text)

export const drawAnswer: WidgetParts['drawAnswer'] = ({ make, linkTo }, words, { answer, sources, found }) => {
  const links = sources.map(({ url }) => linkTo(url, document.baseURI))
  const follow = { target: '_blank', rel: 'noopener' }
  const message = make('div', { class: 'message site', dir: 'auto' })
  for (const piece of answer.split(/\s*(\[\d{1,2}\])/)) {
    const number = /^\[(\d+)\]$/.exec(piece)?.[1]
    const link = number === undefined ? null : links[Number(number) - 1]
    if (number === undefined) message.append(piece)
    else if (link)
      message.append(
        make('sup', {}, make('a', { href: link, ...follow, 'aria-label': `${words.sources} ${number}` }, number)),
      )
    else if (sources[Number(number) - 1]) message.append(make('sup', {}, number))
  }
  const drawn = make('div', { class: 'answer' }, message)
  if (sources.length > 0) {
    const items = sources.map(({ title, excerpt }, index) => {
      const link = links[index]
      const name = link ? make('a', { href: link, ...follow }, title) : title
      return make('li', { dir: 'auto' }, name, ...(excerpt ? [make('p', {}, excerpt)] : []))
    })
    drawn.append(make('h3', {}, words.sources), make('ul', {}, ...items))
  }
  if (found) drawn.append(make('p', { class: 'note' }, words.note))
  return drawn
}

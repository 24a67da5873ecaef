import type { VisitorTurn, WidgetParts } from './types.ts'

export const createBubble: WidgetParts['createBubble'] = (parts, host, options) => {
  const { words, look, ask } = options
  const { make } = parts
  const frame = parts.drawFrame(parts, options)
  const { root, button, panel, close, log, form, input } = frame
  const send = form.querySelector('.send')
  const shadow = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(options.css)
  shadow.adoptedStyleSheets = [sheet]
  shadow.replaceChildren(root)

  let history: VisitorTurn[] = []
  let isWaiting = false
  let problem: HTMLElement | undefined

  const show = (node: HTMLElement) => {
    log.append(node)
    // An answer is read from its beginning
    log.scrollTop += node.getBoundingClientRect().top - log.getBoundingClientRect().top - 48
  }
  const greeting = look.greeting ?? words.greeting
  if (greeting !== '') log.append(parts.drawMessage(parts, 'site', greeting))

  const wait = (waiting: boolean) => {
    isWaiting = waiting
    send?.setAttribute('aria-disabled', String(waiting))
  }

  const submit = async () => {
    const question = input.value.trim()
    if (isWaiting || question === '') return
    const dots = make('span', { class: 'dots', 'aria-hidden': 'true' }, make('i', {}), make('i', {}), make('i', {}))
    const thinking = make('div', { class: 'thinking' }, dots, words.thinking)
    const asked = parts.drawMessage(parts, 'visitor', question)
    problem?.remove()
    show(asked)
    show(thinking)
    input.value = ''
    wait(true)
    const outcome = await ask(question, history.slice(-6))
    wait(false)
    thinking.remove()
    if ('answer' in outcome) {
      const { answer } = outcome.answer
      history = [...history, { role: 'user', text: question }, { role: 'assistant', text: answer.slice(0, 1000) }]
      show(parts.drawAnswer(parts, words, outcome.answer))
      return
    }
    // Back where it was typed, unless something else is being typed by now
    asked.remove()
    if (input.value.trim() === '') input.value = question
    const retry = make('button', { class: 'retry', type: 'button' }, words.retry)
    retry.addEventListener('click', () => {
      input.focus()
      void submit()
    })
    problem = make('div', { class: 'error' }, words[outcome.failed], retry)
    show(problem)
  }

  const setOpen = (isOpen: boolean) => {
    panel.hidden = !isOpen
    root.classList.toggle('open', isOpen)
    button.setAttribute('aria-expanded', String(isOpen))
    if (isOpen) input.focus({ preventScroll: true })
    else button.focus({ preventScroll: true })
  }
  /** What a keyboard on the screen covers of a full-screen panel. */
  const fit = () => {
    const { height = innerHeight, offsetTop = 0 } = window.visualViewport ?? {}
    root.style.setProperty('--keyboard', `${Math.max(0, Math.round(innerHeight - height - offsetTop))}px`)
  }
  window.visualViewport?.addEventListener('resize', fit)

  button.addEventListener('click', () => setOpen(Boolean(panel.hidden)))
  close.addEventListener('click', () => setOpen(false))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit()
  })
  root.addEventListener('keydown', (event) => {
    // What is typed here is no shortcut of the page
    event.stopPropagation()
    if (event.key === 'Escape' && !panel.hidden) return setOpen(false)
    // Enter also ends the writing of a Japanese word, which sends nothing
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.target !== input) return
    event.preventDefault()
    void submit()
  })
  return {
    open: () => {
      panel.hidden = false
      root.classList.add('open')
      button.setAttribute('aria-expanded', 'true')
    },
    end: () => {
      window.visualViewport?.removeEventListener('resize', fit)
      shadow.replaceChildren()
    },
  }
}

export const startWidget: WidgetParts['startWidget'] = (parts, { endpoint, look, words, css }) => {
  const TAG = 'stoa-visitor-assistant'
  // Only while the script runs for the first time: afterwards it is null
  const script = document.currentScript
  const data: DOMStringMap = script instanceof HTMLElement ? script.dataset : {}
  const { label, accent, position, locale } = data
  if (customElements.get(TAG)) return
  const page = document.documentElement.lang
  const language = parts.pickLanguage([locale, page, navigator.language], Object.keys(words))
  const spoken = words[language]
  if (!spoken) return
  const chosen = {
    ...look,
    ...(label && { label }),
    ...(accent && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(accent) && { accent }),
    position: position === 'left' || position === 'right' ? position : look.position,
  }
  const tagOf = (text: string) => {
    try {
      return Intl.getCanonicalLocales(text)[0]
    } catch {
      return undefined
    }
  }
  const tag = tagOf(locale || page || navigator.language)
  customElements.define(
    TAG,
    class extends HTMLElement {
      connectedCallback() {
        if (this.shadowRoot) return
        parts.createBubble(parts, this, {
          css,
          words: spoken,
          look: chosen,
          language,
          ask: (question, history) =>
            parts.askQuestion(endpoint, {
              question,
              ...(tag && { locale: tag }),
              history: [...history],
            }),
        })
      }
    },
  )
  const host = document.createElement(TAG)
  // Beside the body: rules of the page for what is in it, and scripts that exchange it, leave the bubble alone
  document.documentElement.append(host)
  if (!host.showPopover) return
  // In the top layer, where no transform or filter of the page moves it
  host.popover = 'manual'
  host.showPopover()
}

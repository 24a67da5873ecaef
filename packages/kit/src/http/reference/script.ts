/**
 * Finds in the sidebar, keeps the chosen language and copies samples. Everything can be read without it; the page's policy
 * allows exactly these bytes.
 */
export const script = `const all = (selector, root = document) => [...root.querySelectorAll(selector)]
const find = document.querySelector('.find')
const none = document.querySelector('.none')
const wordsOf = (element) => element.textContent.toLowerCase()
find.hidden = false
const list = document.querySelector('.list')
const isPhone = matchMedia('(max-width:48rem)')
const fold = () => { list.open = !isPhone.matches }
isPhone.addEventListener('change', fold)
addEventListener('hashchange', fold)
fold()
find.addEventListener('input', () => {
  const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean)
  let found = 0
  list.open = words.length > 0 || !isPhone.matches
  for (const group of all('nav details details')) {
    const name = wordsOf(group.querySelector('summary'))
    let shown = 0
    for (const link of all('a', group)) {
      const said = name + ' ' + link.dataset.path + ' ' + wordsOf(link)
      link.parentElement.hidden = !words.every((word) => said.includes(word))
      shown += link.parentElement.hidden ? 0 : 1
    }
    group.hidden = shown === 0
    group.open = words.length > 0 ? shown > 0 : false
    found += shown
  }
  none.hidden = found > 0
})
addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== find && !event.metaKey && !event.ctrlKey) {
    event.preventDefault()
    find.focus()
  }
  if (event.key === 'Enter' && document.activeElement === find) all('nav li li:not([hidden]) a').find((link) => !link.closest('[hidden]'))?.click()
})
const KEY = 'reference-language'
const choose = (language) => {
  for (const button of all('[data-language]')) button.setAttribute('aria-pressed', String(button.dataset.language === language))
  for (const code of all('pre[data-code]')) code.hidden = code.dataset.code !== language
}
const stored = () => { try { return localStorage.getItem(KEY) } catch { return null } }
for (const button of all('[data-language]')) button.hidden = false
choose(all('[data-language]').some(({ dataset }) => dataset.language === stored()) ? stored() : 'curl')
addEventListener('click', async ({ target }) => {
  const { language, copy } = target.dataset ?? {}
  if (language) {
    const { top } = target.getBoundingClientRect()
    choose(language)
    scrollBy(0, target.getBoundingClientRect().top - top)
    try { localStorage.setItem(KEY, language) } catch {}
  }
  if (copy !== undefined) {
    await navigator.clipboard.writeText(all('pre', target.closest('.sample')).find((code) => !code.hidden).textContent)
    target.textContent = 'Copied'
    setTimeout(() => { target.textContent = 'Copy' }, 1500)
  }
})
if (navigator.clipboard) for (const button of all('[data-copy]')) button.hidden = false
const mark = () => {
  const here = all('nav a').find(({ hash }) => hash !== '' && hash === location.hash)
  for (const link of all('nav a[aria-current]')) link.removeAttribute('aria-current')
  if (!here) return
  here.setAttribute('aria-current', 'true')
  const group = here.closest('details details')
  if (group) group.open = true
}
addEventListener('hashchange', mark)
mark()
`

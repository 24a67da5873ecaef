import type { VisitorSettings } from '@stoa/cms-model/visitor.ts'

/** What is said where the site has not set anything. */
const STANDARD: Readonly<Record<string, string>> = {
  en: "I couldn't find an answer to that on this site.",
  de: 'Dazu habe ich auf dieser Website keine Antwort gefunden.',
  fr: "Je n'ai pas trouvé de réponse à cette question sur ce site.",
  es: 'No he encontrado una respuesta a eso en este sitio.',
  it: 'Non ho trovato una risposta a questa domanda su questo sito.',
  nl: 'Ik heb op deze website geen antwoord op die vraag gevonden.',
  pt: 'Não encontrei uma resposta para isso neste site.',
  pl: 'Nie udało mi się znaleźć odpowiedzi na tej stronie.',
}

/** What is said when nothing was found: in the visitor's language if there is such a text, else in the site's. */
export const refusalFor = (
  { refusal }: Pick<VisitorSettings, 'refusal'>,
  locale: string,
  siteLocale: string,
): string => {
  const [language = ''] = locale.split('-')
  const [siteLanguage = ''] = siteLocale.split('-')
  const texts = [refusal[locale], refusal[language], refusal[siteLocale], refusal[siteLanguage], STANDARD[language]]
  return texts.find((text) => text !== undefined && text !== '') ?? STANDARD.en ?? ''
}

import type { LabelledQuestion } from '@stoa/cms/assistant/retrieval/testing/demo-questions.ts'

export type CorpusEntry = { slug: string; title: string; locale: string; body: string }

/** The help pages of a shop for its things: each page is about one thing and one topic. */
export const corpus = (): CorpusEntry[] => [...pagesOf('en', THINGS, TOPICS), ...pagesOf('de', DINGE, THEMEN)]

type Topic = {
  slug: string
  title: string
  heading: string
  /** `#` stands for the thing. */
  text: string
  plain: string
  paraphrase: string
}

const pagesOf = (locale: string, things: readonly string[], topics: readonly Topic[]): CorpusEntry[] =>
  things.flatMap((thing, t) =>
    topics.map((topic, n) => ({
      slug: slugOf(locale, thing, topic),
      title: `${topic.title}: ${thing}`,
      locale,
      body: `<p>${fillerOf(locale, t * 31 + n)}</p><h2>${topic.heading}</h2><p>${topic.text.replaceAll('#', thing)}</p><p>${fillerOf(locale, t + n * 17 + 5)}</p>`,
    })),
  )

const slugOf = (locale: string, thing: string, { slug }: Topic): string =>
  `${locale}-${thing
    .toLowerCase()
    .replaceAll('ä', 'a')
    .replaceAll('ö', 'o')
    .replaceAll('ü', 'u')
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9]+/g, '-')}-${slug}`

const FIRST = ['Aurora', 'Birch', 'Coral', 'Delta', 'Ember', 'Fjord', 'Garnet', 'Hazel', 'Indigo', 'Juniper']
const SECOND = ['kettle', 'backpack', 'headphones', 'lamp', 'blender']
const THINGS = FIRST.flatMap((first) => SECOND.map((second) => `${first} ${second}`))
const ZWEITE = ['Wasserkocher', 'Rucksack', 'Kopfhörer', 'Leuchte', 'Mixer']
const DINGE = FIRST.slice(0, 5).flatMap((first) => ZWEITE.map((second) => `${first} ${second}`))

const topic = (
  slug: string,
  title: string,
  heading: string,
  text: string,
  plain: string,
  paraphrase: string,
): Topic => ({
  slug,
  title,
  heading,
  text,
  plain,
  paraphrase,
})

const TOPICS: readonly Topic[] = [
  topic(
    'warranty',
    'Warranty',
    'How long it lasts',
    'The warranty of the # covers faults in material for two years from purchase.',
    'How long is the warranty of the #?',
    'Is the # covered if the material has a fault after one year?',
  ),
  topic(
    'cleaning',
    'Cleaning',
    'Step by step',
    'Wipe the # with a damp cloth and mild soap. Never put it in the dishwasher.',
    'How do I clean the #?',
    'Can my # go in the dishwasher?',
  ),
  topic(
    'returns',
    'Returns',
    'Sending it back',
    'You can return the # within thirty days for a full refund, with the receipt.',
    'Can I return the #?',
    'How many days do I have for a refund of the #?',
  ),
  topic(
    'delivery',
    'Delivery',
    'When it arrives',
    'The # is delivered within three working days; express delivery arrives the next morning.',
    'When is the # delivered?',
    'Does the # arrive faster with express?',
  ),
  topic(
    'spare-parts',
    'Spare parts',
    'What can be replaced',
    'Handles, seals and filters of the # can be ordered as spare parts for ten years.',
    'Are there spare parts for the #?',
    'Where do I order a new seal for my #?',
  ),
  topic(
    'dimensions',
    'Dimensions',
    'Size and weight',
    'The # weighs nine hundred grams and measures twenty by thirty centimetres.',
    'What are the dimensions of the #?',
    'How much does the # weigh?',
  ),
  topic(
    'battery',
    'Battery',
    'Charging',
    'The battery of the # charges in four hours by cable and lasts for two weeks.',
    'How long does the battery of the # last?',
    'How do I charge the # by cable?',
  ),
  topic(
    'colours',
    'Colours',
    'Which there are',
    'The # comes in slate, sand and moss; limited colours appear each spring.',
    'Which colours does the # come in?',
    'Is there a moss or sand version of the #?',
  ),
  topic(
    'noise',
    'Noise',
    'How loud it is',
    'At full power the # is as loud as a conversation, about sixty decibels.',
    'How loud is the #?',
    'How many decibels does the # make at full power?',
  ),
  topic(
    'recycling',
    'Recycling',
    'At the end of its life',
    'Bring the old # to any shop: we recycle metal and plastic free of charge.',
    'How do I recycle the #?',
    'Will you take my old # for recycling metal and plastic?',
  ),
  topic(
    'children',
    'Children',
    'Is it safe',
    'The # is safe for children above eight years when an adult is near.',
    'Is the # safe for children?',
    'From how many years may kids or children use the #?',
  ),
  topic(
    'app',
    'App',
    'Connecting',
    'Pair the # with the app over Bluetooth by holding the button for five seconds.',
    'How do I connect the # with the app?',
    'Which button pairs my # over Bluetooth?',
  ),
  topic(
    'error',
    'Error codes',
    'What the light means',
    'When the red light of the # blinks twice, it is too hot: wait ten minutes.',
    'What do the error codes of the # mean?',
    'Why does a red light blink on the #?',
  ),
  topic(
    'gift',
    'Gift wrapping',
    'As a present',
    'We wrap the # in cotton cloth and add a handwritten card for two euros.',
    'Is there gift wrapping for the #?',
    'Can I have a handwritten card with the # as a present?',
  ),
  topic(
    'repair',
    'Repair',
    'When it breaks',
    'Our workshop repairs the # for a fixed price of thirty euros, usually within a week.',
    'How do I get my # repaired?',
    'What price does the workshop ask to repair a broken #?',
  ),
  topic(
    'water',
    'Water resistance',
    'Rain and splashes',
    'The # withstands rain and splashes, but must not be held under water.',
    'What is the water resistance of the #?',
    'May I use the # in the rain?',
  ),
  topic(
    'materials',
    'Materials',
    'What it is made of',
    'The # is made of recycled steel, cork and a little silicone, all free of bisphenol.',
    'Which materials is the # made of?',
    'Does the # contain cork or silicone?',
  ),
  topic(
    'discount',
    'Discounts',
    'For groups',
    'Schools and clubs that order ten or more # get a discount of fifteen percent.',
    'Is there a discount on the #?',
    'Do schools pay less when they order ten #?',
  ),
  topic(
    'storage',
    'Storage',
    'In winter',
    'Store the # dry and above freezing; remove the batteries before the winter.',
    'How should I store the #?',
    'Where do I keep the # dry in winter?',
  ),
  topic(
    'manual',
    'Manual',
    'Downloading it',
    'The manual of the # is printed in nine languages and can be downloaded as a PDF.',
    'Where is the manual of the #?',
    'Can I download the instructions manual for the # as a PDF?',
  ),
  ...Array.from({ length: 17 }, (_, n) =>
    topic(
      `note-${n + 1}`,
      `Workshop note ${n + 1}`,
      `Batch ${100 + n}`,
      `Batch ${100 + n} of the # was checked on bench ${n + 1} and left the workshop with seal ${7000 + n}.`,
      `What does workshop note ${n + 1} say about the #?`,
      `Which seal did batch ${100 + n} of the # leave with?`,
    ),
  ),
]

const THEMEN: readonly Topic[] = [
  topic(
    'garantie',
    'Garantie',
    'Wie lange sie gilt',
    'Die Garantie für # umfasst Materialfehler und gilt zwei Jahre ab Kauf.',
    'Wie lange gilt die Garantie für #?',
    'Sind Materialfehler bei # abgedeckt?',
  ),
  topic(
    'reinigung',
    'Reinigung',
    'Schritt für Schritt',
    '# mit einem feuchten Tuch und milder Seife abwischen, nie in die Spülmaschine geben.',
    'Wie läuft die Reinigung von #?',
    'Darf # in die Spülmaschine?',
  ),
  topic(
    'rueckgabe',
    'Rückgabe',
    'Zurückschicken',
    'Sie können # innerhalb von dreißig Tagen mit dem Beleg zurückgeben und erhalten den vollen Preis.',
    'Kann ich # zurückgeben?',
    'Wie viele Tage habe ich für die Rückgabe von #?',
  ),
  topic(
    'lieferung',
    'Lieferung',
    'Wann sie ankommt',
    '# wird innerhalb von drei Werktagen geliefert, mit Express am nächsten Morgen.',
    'Wann kommt die Lieferung von #?',
    'Geht die Lieferung von # mit Express schneller?',
  ),
  topic(
    'masse',
    'Maße',
    'Größe und Gewicht',
    '# wiegt neunhundert Gramm und misst zwanzig mal dreißig Zentimeter.',
    'Welche Maße hat #?',
    'Wie viel Gramm wiegt #?',
  ),
  topic(
    'ersatzteile',
    'Ersatzteile',
    'Was es gibt',
    'Griffe, Dichtungen und Filter für # sind zehn Jahre lang als Ersatzteile erhältlich.',
    'Gibt es Ersatzteile für #?',
    'Wo bestelle ich eine Dichtung für #?',
  ),
]

const FILLER: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Our small team in the old mill answers letters every weekday.',
    'We test everything ourselves before it goes on a shelf.',
    'If something is unclear, write to us and we will find out.',
    'Most of what we sell is made within a day’s drive.',
    'Please keep the receipt: it makes everything easier.',
    'In the shop you can try things before you buy them.',
  ],
  de: [
    'Unser kleines Team in der alten Mühle beantwortet Briefe an jedem Werktag.',
    'Wir probieren alles selbst aus, bevor es ins Regal kommt.',
    'Wenn etwas unklar ist, schreiben Sie uns bitte.',
    'Das meiste wird höchstens eine Tagesreise entfernt hergestellt.',
  ],
}

const fillerOf = (locale: string, n: number): string => {
  const lines = FILLER[locale] ?? []
  return `${lines[n % lines.length]} ${lines[(n * 7 + 3) % lines.length]}`
}

/** Every so many of the pages, so that each topic and thing has its turn. */
const STEP = 61

export const corpusQuestions = (): LabelledQuestion[] => [
  ...questionsOf('en', THINGS, TOPICS, STEP),
  ...questionsOf('de', DINGE, THEMEN, 9),
  ...UNANSWERABLE.map((question): LabelledQuestion => ({ kind: 'unanswerable', question, slugs: [] })),
]

const questionsOf = (
  locale: string,
  things: readonly string[],
  topics: readonly Topic[],
  step: number,
): LabelledQuestion[] => {
  const questions: LabelledQuestion[] = []
  for (let n = 0; n < things.length * topics.length; n += step) {
    const thing = things[Math.floor(n / topics.length)]
    const about = topics[n % topics.length]
    if (thing === undefined || about === undefined) continue
    const slugs = [slugOf(locale, thing, about)]
    const plain = about.plain.replaceAll('#', thing)
    const paraphrase = about.paraphrase.replaceAll('#', thing)
    if (locale === 'en')
      questions.push(
        { kind: 'plain', question: plain, slugs },
        { kind: 'paraphrase', question: paraphrase, slugs },
        { kind: 'typo', question: mistyped(plain, n), slugs },
      )
    else
      questions.push(
        { kind: 'language', question: plain, slugs, locale },
        { kind: 'language', question: paraphrase, slugs, locale },
      )
  }
  return questions
}

/** Two letters of the longest word swapped, one left out or one doubled. */
export const mistyped = (question: string, n: number): string => {
  const longest = question.split(/[^\p{L}]+/u).reduce((a, b) => (b.length > a.length ? b : a), '')
  const at = 2 + (n % Math.max(1, longest.length - 4))
  const wrong = [
    longest.slice(0, at) + (longest[at + 1] ?? '') + (longest[at] ?? '') + longest.slice(at + 2),
    longest.slice(0, at) + longest.slice(at + 1),
    longest.slice(0, at) + (longest[at] ?? '') + longest.slice(at),
  ][n % 3]
  return question.replace(longest, wrong ?? longest)
}

const UNANSWERABLE = [
  'Who was the first person on the moon?',
  'How do I bake sourdough bread?',
  'What is the weather in Oslo tomorrow?',
  'Which visa do I need for Japan?',
  'Can you solve this crossword for me?',
  'When is the next train to Vienna?',
  'What does the constitution say about taxes?',
  'Tell me a joke about penguins',
  'Do you have vacancies for nurses?',
  'How do I train for a marathon?',
  'What is the population of Brazil?',
  'Which football club is the best?',
  'Is there a dentist nearby?',
  'How do I invest in shares?',
  'What are the symptoms of influenza?',
  'Write a poem about autumn leaves',
  'Do you host weddings with catering?',
  'How do I change the oil of my car?',
  'Which languages are spoken in Belgium?',
  'What time does the cinema start?',
]

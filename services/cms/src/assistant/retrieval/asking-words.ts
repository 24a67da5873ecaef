/**
 * Words in which people ask, beside the stop words that PostgreSQL knows: they say nothing about the subject, and whether a
 * page has them says nothing about its answer.
 */
const ASKING: Readonly<Record<string, string>> = {
  en: `able allowed also anybody anyone anything ask available become could come comes
    did didn't doesn't don't else ever exactly explain far find get gets getting give gives go goes going got happen happened
    happens has hello help hi how's i'd i'm i've instead isn't keep know let like likes look looking looks made make makes
    many may maybe mean means might mine much must need needed needs offer offers often okay one's ought please possible provide
    really recommend say says see seem shall show somebody someone something soon still suggest sure take takes taken
    tell thank thanks thing things think use used uses using usually want wanted wants way what's where's who's
    wonder would yes yet`,
  de: `bekomme bekommen bietet brauche brauchen bitte dabei danke darf dürfen eigentlich einfach erhalte erhalten etwas
    finde finden funktioniert geben gebt geht gehen genau gerne gibt gilt hallo heißt hilfe irgendein irgendeine irgendwo
    jemand kannst kaufen komme kommen kommt könnt können könnte lässt leicht machen macht mal möchte möchten möglich müssen
    muss nehmen nutzen oft sag sagen stimmt suche suchen überhaupt verwenden wäre wann warum wieso wieviel
    wissen wohin wollen würde würden`,
  fr: `ai aider aimerais aller besoin bonjour certain cherche chercher combien comment connaître devoir dire dois doit donner
    existe faire fait falloir faudrait faut merci mettre obtenir peut peuvent peux possible pourquoi pourrais pouvez prendre
    proposez quand quel quelle quelles quels quelqu'un quelque recommandez savoir souhaite svp trouver utiliser va vais
    veux voudrais vouloir`,
  es: `ayuda busco buscar cómo conseguir cuál cuáles cuándo cuánta cuánto cuántos dar debe debo decir dónde encontrar existe favor
    gracias hace hacer hay hola ir necesita necesito ofrecen poder posible puede pueden puedo quiero quisiera recomiendan
    saber ser sirve tener tengo tiene tienen tomar usar utilizar va vale`,
  it: `aiuto avete bisogna bisogno cerco cercare ciao dare deve devo dire dove esiste fare favore funziona grazie ha mettere occorre
    offrite perché posso possibile può possono prendere quale quali quando quanta quanti quanto sapere serve trovare usare
    utilizzare vorrei`,
  nl: `alstublieft bedankt bestaat bieden bied biedt eens ergens gaan gaat geef geeft geven graag hallo hebben heb heeft help hoeveel
    iemand iets kan krijg krijgen kun kunnen maak maken mag misschien moet moeten mogelijk nemen nodig vaak vind vinden waar
    waarom wanneer weet weten welke werkt wil willen zeg zeggen zoek zoeken zou`,
}

const WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(ASKING).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
)

/** The words of a question that say what it is about; all of them when none does. */
export const subjectOf = (words: readonly string[], languages: readonly string[]): readonly string[] => {
  const lists = languages.flatMap((language) => WORDS.get(language) ?? [])
  const subject = words.filter((word) => !lists.some((list) => list.has(word)))
  return subject.length > 0 ? subject : words
}

import { defaultVisitorSettings, type WidgetSettings } from '@stoa/cms-model/visitor.ts'
import { type Baked, widgetCss, widgetParts, widgetWords } from '@stoa/cms-model/visitor-widget/widget.ts'

/** The script of the bubble, with what was set up for it. */
export const widgetSource = ({ endpoint, label, greeting, accent, position }: WidgetSettings): string => {
  const baked: Baked = {
    endpoint,
    look: {
      // Texts that nobody changed are shown in the visitor's language
      ...(label !== defaultVisitorSettings.label && { label }),
      ...(greeting !== defaultVisitorSettings.greeting && { greeting }),
      accent,
      position,
    },
    words: widgetWords,
    css: widgetCss,
  }
  return `(parts=>parts.startWidget(parts,${inScript(baked)}))(${FUNCTIONS});\n`
}

/**
 * JSON that can stand in a script, also in one that stands in a page (HTML §4.12.1.3), and in ASCII: a page may say that
 * its scripts are in another encoding.
 */
const inScript = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Without comments and indentation, which visitors would download. */
const compact = (source: string): string =>
  source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(\/\/|\/\*)/.test(line))
    .join('\n')

const FUNCTIONS = `{${Object.entries(widgetParts)
  .map(([name, part]) => `${name}:${compact(String(part))}`)
  .join(',\n')}}`

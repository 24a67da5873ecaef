/** The first control of a layer that people type in. */
export const firstInput = (content: EventTarget | null): HTMLElement | null =>
  content instanceof HTMLElement
    ? content.querySelector<HTMLElement>(
        'input:not([type=checkbox]):not(:disabled), textarea:not(:disabled), select:not(:disabled)',
      )
    : null

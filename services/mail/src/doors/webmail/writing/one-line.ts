/** Text for a header field: what is a line break only to some programs is a space to us. */
export const onOneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').toWellFormed()

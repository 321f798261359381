/** What TOOL-3 says of names, as errors say it. */
export const toolNameRule: string =
  'a name is segments of letters, digits, "_" and "-" with dots between, each begins with a letter or "_", and none is reserved by JavaScript'

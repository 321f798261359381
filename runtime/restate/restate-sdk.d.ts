// Restate's SDK is an optional peer that only `npm run durable` installs; ./sdk.ts declares the part that is used.
declare module '@restatedev/restate-sdk'

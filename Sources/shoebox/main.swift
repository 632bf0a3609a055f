import Commands

await runProcess()

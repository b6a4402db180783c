"""An SMTP server for a test. Prints its port, then a line of JSON for every message it takes."""

import asyncio
import base64
import json

from aiosmtpd.smtp import SMTP


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        if address.startswith("gone"):
            return "550 5.1.1 No such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        data = base64.b64encode(envelope.content).decode("ascii")
        message = {"from": envelope.mail_from, "to": envelope.rcpt_tos, "data": data}
        print(json.dumps(message), flush=True)
        return "250 2.0.0 Taken"


async def main():
    def protocol():
        return SMTP(Handler(), enable_SMTPUTF8=True, loop=asyncio.get_running_loop())

    server = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
